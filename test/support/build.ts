// Global setup of the tiers that start what ships: dist/ as the sources are now, once for the whole run.
export { ensureBuilt as default } from './built-processes.js';
