'use strict';
require('./entities_suite')({ door: 'storage', tls: true });
