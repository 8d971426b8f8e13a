'use strict';
const { runSuite } = require('./driver_suite');

runSuite('gremlin-3.8', { mimeType: 'application/vnd.gremlin-v3.0+json' });
