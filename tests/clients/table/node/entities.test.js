'use strict';
require('./entities_suite')({});
