'use strict';
const { runSuite } = require('./driver_suite');

runSuite('gremlin-3.7', { mimeType: 'application/vnd.graphbinary-v1.0' });
