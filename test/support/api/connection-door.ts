import { vi } from 'vitest';
import type { Gateway } from '../../../api/gateway/create.js';
import { aConnectionView } from './builders.js';

export const NOW = Date.parse('2026-10-01T02:00:00.000Z');

export const aRound = () => ({ round: 1, expiresAt: new Date(NOW + 600_000).toISOString() });

export const connectionDoor = () => ({
  view: vi.fn<Gateway['connections']['view']>((id) => Promise.resolve(aConnectionView({ id }))),
  exists: vi.fn<Gateway['connections']['exists']>(() => Promise.resolve(true)),
  list: vi.fn<Gateway['connections']['list']>(() => Promise.resolve({ items: [], next: undefined })),
  useTicket: vi.fn<Gateway['connections']['useTicket']>(() => Promise.resolve({})),
  confirm: vi.fn<Gateway['connections']['confirm']>((id) => Promise.resolve(aConnectionView({ id }))),
  begin: vi.fn<Gateway['connections']['begin']>(() => Promise.resolve(aRound())),
  reauthorise: vi.fn<Gateway['connections']['reauthorise']>(() => Promise.resolve(aRound())),
  complete: vi.fn<Gateway['connections']['complete']>(() => Promise.resolve({})),
  revoke: vi.fn<Gateway['connections']['revoke']>((id) => Promise.resolve(aConnectionView({ id }))),
});
