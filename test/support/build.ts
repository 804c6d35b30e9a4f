export { ensureBuilt as default } from './built-processes.js';
