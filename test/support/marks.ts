import { Client, Connection } from '@temporalio/client';
import { vi } from 'vitest';

export function aTemporalThatTakesMarks(): Client {
  const temporal = new Client({ connection: Connection.lazy() });
  vi.spyOn(temporal.activity, 'heartbeat').mockResolvedValue();
  return temporal;
}
