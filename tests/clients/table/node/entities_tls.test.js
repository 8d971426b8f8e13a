'use strict';
require('./entities_suite')({ tls: true });
