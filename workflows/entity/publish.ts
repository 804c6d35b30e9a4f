// Says where a workflow stands to whoever looks at Temporal: attributes for lists, words for its page (design 5, 7).
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { WAITS } from '../../domain/waits.js';
import { ATTENTION, AWAITING, AWAITING_SINCE, CONNECTION_ID, LAST_FACT_AT } from './contract.js';
import type { Instant } from '../../domain/fact.js';
import type { Attention, Awaiting } from '../../domain/legible.js';

/** Where a workflow stands, as lists show it. */
export interface Standing {
  awaiting: Awaiting;
  attention: readonly Attention[];
  connectionId?: string | undefined;
  lastFactAt?: Instant | undefined;
  /** What only this kind of workflow has. */
  own: readonly SearchAttributeUpdatePair[];
}

/** One upsert with what differs from what stands there; none when nothing does. */
export function publishAttributes({ awaiting, attention, connectionId, lastFactAt, own }: Standing): void {
  const { typedSearchAttributes: standing } = workflowInfo();
  // The same wait keeps the beginning that whoever started this run gave it.
  const isSameWait = standing.get(AWAITING) === awaiting.what && standing.get(AWAITING_SINCE) !== undefined;
  const wanted: SearchAttributeUpdatePair[] = [
    ...own,
    { key: AWAITING, value: awaiting.what },
    { key: ATTENTION, value: attention.length === 0 ? null : attention.map(({ code }) => code) },
    ...(isSameWait ? [] : [{ key: AWAITING_SINCE, value: new Date(awaiting.since) }]),
    ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
    ...(lastFactAt === undefined ? [] : [{ key: LAST_FACT_AT, value: new Date(lastFactAt) }]),
  ];
  const changed = wanted.filter(({ key, value }) => asText(standing.get(key)) !== asText(value));
  if (changed.length > 0) upsertSearchAttributes(changed);
}

const asText = (value: unknown): string => JSON.stringify(value ?? null);

/** What the workflow's page says above its history, in plain words. */
export function publishWords(about: {
  title: string;
  awaiting: Awaiting;
  attention: readonly Attention[];
  known: readonly string[];
}): void {
  const { awaiting, attention } = about;
  const until = awaiting.until === undefined ? '' : `, until ${readable(awaiting.until)} at the most`;
  const { waiting, next } = WAITS[awaiting.what];
  setCurrentDetails(
    [
      `### ${about.title}`,
      `**${waiting}** — since ${readable(awaiting.since)}${until}.`,
      `**Next:** ${next}`,
      ...attention.map(
        ({ code, since, detail, next: todo }) => `> **${code}** since ${readable(since)}: ${detail} ${todo}`,
      ),
      about.known.map((line) => `- ${line}`).join('\n'),
    ].join('\n\n'),
  );
}

/** An instant to the second, for a person. */
export const readable = (instant: string): string => `${instant.slice(0, 19).replace('T', ' ')} UTC`;
