// Creates and migrates the records database. Run it before a release that changes the schema.
// Usage: npm run migrate; in a container: node dist/worker/migrate.js
import { describeError } from '../records/database.js';
import { migrateRecords } from '../records/migrate.js';
import { stopWith } from './command.js';
import { settingsOrStop } from '../settings/read.js';
import { readMigrateConfig } from './config.js';

const NAME = 'migrate';

const config = settingsOrStop(NAME, readMigrateConfig);
const { RECORDS_ADMIN_URL: admin, RECORDS_URL: application } = config;
try {
  await migrateRecords({ admin, application, print: (line) => console.log(`${NAME}: ${line}`) });
} catch (error) {
  stopWith(NAME, [describeError(error)]);
}
