#!/usr/bin/env node
'use strict';
// Runs the program with this process's arguments, and ends as it ends.
const { spawn } = require('node:child_process');
const { program } = require('../index.js');

const child = spawn(program(), process.argv.slice(2), { stdio: 'inherit' });
for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => child.kill(name));
child.on('error', (error) => {
  console.error(`orrery: ${error.message}`);
  process.exit(126);
});
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
