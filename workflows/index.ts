// The list of workflows; what the worker's bundle is made from.
export { agreement } from './agreement.js';
export { connection } from './connection.js';
export { history } from './history.js';
export { notification } from './notification.js';
export { payment } from './payment.js';
export { sweep } from './sweep.js';
