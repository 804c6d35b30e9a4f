import { migrateEnvironment, type Wiring } from '../../cli/stack/wiring.js';
import { startPostgres, type RunningPostgres } from '../../postgres-server/start.js';
import { migrateRecords, type MigrateOptions } from '../../records/migrate.js';
import { recordsUrl } from '../../records/settings.schema.js';

export const NOWHERE = 'postgres://payto:records-password@127.0.0.1:1/payto_records';
export const PATIENT_MS = 20_000;

export const migrate = (
  adminUrl: string,
  url: string,
  migrations?: MigrateOptions['migrations'],
  print: MigrateOptions['print'] = () => undefined,
): Promise<void> =>
  migrateRecords({
    admin: recordsUrl.parse(adminUrl),
    application: recordsUrl.parse(url),
    print,
    migrations,
  });

export async function startRecordsOf(
  wiring: Wiring,
  onOutput: (line: string) => void = () => undefined,
): Promise<RunningPostgres> {
  const { records, secrets } = wiring;
  if (records === undefined) throw new Error('expected a wiring with records');
  const server = await startPostgres({
    ...records,
    password: secrets.records_owner_password,
    onOutput,
  });
  const { RECORDS_ADMIN_URL: adminUrl = '', RECORDS_URL: url = '' } = migrateEnvironment(wiring);
  await migrate(adminUrl, url);
  return server;
}
