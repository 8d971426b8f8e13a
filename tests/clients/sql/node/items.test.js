'use strict';
require('./items_suite')('items');
