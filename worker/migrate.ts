// Creates and migrates the records database. Run it before a release that changes the schema.
// Usage: npm run migrate; in a container: node dist/worker/migrate.js
import { migrateRecords } from '../records/migrate.js';
import { runOnRecords } from './command.js';
import { settingsOrStop } from '../settings/read.js';
import { readMigrateConfig } from './config.js';

const NAME = 'migrate';

const {
  RECORDS_ADMIN_URL: admin,
  RECORDS_URL: application,
  RECORDS_EXPIRY_URL: expiry,
  RECORDS_AUDIT_URL: audit,
} = settingsOrStop(NAME, readMigrateConfig);
const print = (line: string): void => console.log(`${NAME}: ${line}`);
await runOnRecords(NAME, () => migrateRecords({ admin, application, expiry, audit, print }));
