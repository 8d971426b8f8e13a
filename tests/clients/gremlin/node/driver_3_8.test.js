'use strict';
const { runSuite } = require('./driver_suite');

runSuite('gremlin-3.8');
