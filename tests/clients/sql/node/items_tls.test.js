'use strict';
require('./items_suite')('items-tls', { tls: true });
