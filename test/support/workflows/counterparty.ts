import { refusalIn } from './provider.js';
import { inVirtualTime } from './virtual.js';
import type { Activities } from '../../../activities/index.js';
import type { AttentionResolution } from '../../../domain/attention/resolution.js';
import type { Verified } from '../../../domain/counterparty/verification.js';
import type { ChangeRequest } from '../../../workflows/counterparty/contract.js';

export const word = (decision: 'adopt' | 'close'): AttentionResolution => ({
  key: `key-${decision}`,
  code: 'parked',
  reason: 'asked them',
  by: 'ops',
  decision,
});
export const change = (over: Partial<ChangeRequest> = {}): ChangeRequest => ({
  kind: over.to === undefined ? 'acceptance' : 'correction',
  accountUid: 'acc-1',
  reason: 'asked them',
  by: 'ops',
  use: { key: `key-${JSON.stringify(over)}`, uid: 'u', body: 'b' },
  ...over,
});
export const refusalOf = async (work: Promise<unknown>) =>
  refusalIn(await work.catch((error: unknown) => error));

export type Said = Verified | Error;
export const EVIDENCE = {
  method: 'third_party_provider',
  provider_name: 'IDCo',
  reference: 'r-1',
  verified_at: '2026-10-03T02:00:00Z',
} as const;
export const PAYER = { requester_id: 'me', remote_ip: '203.0.113.7' };

export function aScene(said: Said[] = [], given: Partial<Activities> = {}, refusals: Error[] = []) {
  const asked: Parameters<Activities['verifyAccount']>[0][] = [];
  const sent: Parameters<Activities['createCounterparty']>[0][] = [];
  const scene = inVirtualTime({
    verifyAccount: (args) => {
      asked.push(args);
      const now = said[Math.min(asked.length, said.length) - 1] ?? { outcome: 'match' };
      return now instanceof Error
        ? Promise.reject(now)
        : Promise.resolve({ reference: args.reference, ...now });
    },
    createCounterparty: (args) => {
      sent.push(args);
      const refusal = refusals.shift();
      if (refusal !== undefined) return Promise.reject(refusal);
      const accountUids = args.registration.payment_accounts.map(({ uid }) => uid);
      const snapshot = { uid: args.uid, state: 'registered', counterpartyId: 'cp-9', accountUids };
      return Promise.resolve({ fetchedAt: '2026-11-01T00:00:00.000Z', snapshot, history: [] });
    },
    ...given,
  });
  return { ...scene, asked, sent };
}
