// Runs the unit tests: Vite's own bundler makes JavaScript of each, Node's test runner runs it.
import { readdirSync, mkdtempSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orrery_explorer_'));
const tests = readdirSync(here).filter((name) => name.endsWith('.test.ts'));
await build({ entryPoints: tests.map((name) => join(here, name)), bundle: true, platform: 'node', format: 'esm', outdir: folder, outExtension: { '.js': '.mjs' }, logLevel: 'warning' });
const run = spawnSync(process.execPath, ['--test', ...tests.map((name) => join(folder, name.replace(/ts$/, 'mjs')))], { stdio: 'inherit' });
rmSync(folder, { recursive: true, force: true });
process.exit(run.status ?? 1);
