// Says where a workflow stands to whoever looks at Temporal: attributes for lists, words for its page (design 5, 7).
import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { SearchAttributeUpdatePair } from '@temporalio/common';
import { WAITS } from '../domain/waits.js';
import type { Attention, Awaiting } from '../domain/legible.js';

/** One upsert with what differs from what stands there; none when nothing does. */
export function publishAttributes(wanted: readonly SearchAttributeUpdatePair[]): void {
  const { typedSearchAttributes: standing } = workflowInfo();
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
