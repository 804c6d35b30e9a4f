// What operators say to an agreement: look again, and this warning has been dealt with. Plain JSON and pure.
import { lower } from '../domain/legible.js';
import { ours } from './agreement-actions.js';
import { attentionOf } from './record.js';
import { refused } from './refusal.js';
import type { AgreementRecord } from './agreement-record.js';
import type { AttentionResolution } from './agreement.contract.js';
import type { Instant } from '../domain/fact.js';

/** @throws ApplicationFailure `agreement_unknown` for what the provider did not know in a whole day. */
export function assertLookable({ stage }: AgreementRecord): void {
  if (stage === 'unknown') throw refused('agreement_unknown', 'The provider does not know this agreement.');
}

/** @throws ApplicationFailure `no_such_attention`, with the flags that do stand. */
export function assertResolvable(record: AgreementRecord, { code }: AttentionResolution): void {
  const standing = attentionOf(record).map((flag) => flag.code);
  if (standing.includes(code)) return;
  const found = standing.length === 0 ? 'none' : standing.join(', ');
  throw refused(
    'no_such_attention',
    `Expected one of the flags that stand; met ${code}. There stand: ${found}.`,
  );
}

/** The flag is lowered, what it held back goes on, and who said so and why stays in the timeline. */
export function withResolution(
  record: AgreementRecord,
  { code, reason, by }: AttentionResolution,
  now: Instant,
): AgreementRecord {
  const blocked = record.blocked?.code === code ? undefined : record.blocked;
  const settled = { ...record, blocked, attention: lower(record.attention, code) };
  return ours(
    settled,
    `resolved/${code}/${now}`,
    'attention_resolved',
    now,
    { code, by },
    { narrative: reason },
  );
}
