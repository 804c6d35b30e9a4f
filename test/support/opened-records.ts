import { onTestFinished } from 'vitest';
import { openRecords, type RecordsDatabase } from '../../records/database.js';
import { recordsUrl } from '../../records/settings.schema.js';
import { PATIENT_MS } from './records.js';

export function opened(url: string): RecordsDatabase {
  const records = openRecords(recordsUrl.parse(url), PATIENT_MS);
  onTestFinished(() => records.close());
  return records;
}
