// What operators say to an agreement: look again, and this warning has been dealt with. Plain JSON and pure.
import { lower } from '../../domain/legible.js';
import { resolutionId } from '../../domain/our-ids.js';
import { repeatOfResolution } from '../../domain/resolution.js';
import { ours } from './commands.js';
import { attentionOf } from '../entity/state.js';
import { refused } from '../entity/refusal.js';
import type { AgreementRecord } from './state.js';
import type { AttentionResolution } from '../../domain/resolution.js';
import type { Instant } from '../../domain/fact.js';

/** @throws ApplicationFailure `agreement_unknown` for what the provider did not know in a whole day. */
export function assertLookable({ stage }: AgreementRecord): void {
  if (stage === 'unknown') throw refused('agreement_unknown', 'The provider does not know this agreement.');
}

/**
 * A repeat is always let through, also where the flag no longer stands.
 * @throws ApplicationFailure `no_such_attention`, with the flags that do stand, or `resolution_key_conflict`.
 */
export function assertResolvable(record: AgreementRecord, word: AttentionResolution): void {
  const repeat = repeatOfResolution(record, word);
  if (repeat === 'same') return;
  if (repeat === 'other')
    throw refused('resolution_key_conflict', 'This key was used before, for something else.');
  const { code } = word;
  const standing = attentionOf(record).map((flag) => flag.code);
  if (standing.includes(code)) return;
  const found = standing.length === 0 ? 'none' : standing.join(', ');
  throw refused(
    'no_such_attention',
    `Expected one of the flags that stand; met ${code}. There stand: ${found}.`,
  );
}

/**
 * The flag is lowered, what it held back goes on, and who said so and why stays in the timeline. A repeat changes
 * nothing: a flag of the same name that was raised since is another one.
 */
export function withResolution(
  record: AgreementRecord,
  word: AttentionResolution,
  now: Instant,
): AgreementRecord {
  if (repeatOfResolution(record, word) !== 'none') return record;
  const { key = `${word.code}/${now}`, code, reason, by } = word;
  const blocked = record.blocked?.code === code ? undefined : record.blocked;
  const settled = { ...record, blocked, attention: lower(record.attention, code) };
  const detail = { code, by };
  return ours(settled, resolutionId(key), 'attention_resolved', now, detail, { narrative: reason });
}
