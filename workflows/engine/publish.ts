// The status of a workflow in Temporal: attributes for lists, and text for its page (docs/architecture.md#search-attributes). Pure.
import { adviceOn } from '../../domain/provider/reason-codes.js';
import { WAITS, type Awaiting } from '../../domain/attention/awaiting.js';
import { ATTENTION, AWAITING, AWAITING_SINCE, CONNECTION_ID } from '../contracts/search-attributes.js';
import type {
  SearchAttributePair,
  SearchAttributeUpdatePair,
  TypedSearchAttributes,
} from '@temporalio/common';
import type { Instant, Reason } from '../../domain/facts/fact.js';
import type { Attention } from '../../domain/attention/flags.js';

export interface Published {
  attributes: readonly SearchAttributePair[];
  /** Attributes to clear. */
  removed: readonly SearchAttributeUpdatePair[];
  /** Markdown. */
  details: string;
}

/**
 * What to upsert. `news`: only changed attributes. `flags`: the same, but only if the flags have changed. `anyway`: all of them if none has changed, so
 * that the task writes an event. The first task of a run must write one (docs/decisions/0021-first-task-leaves-a-trace.md).
 */
export type Publishing = 'news' | 'flags' | 'anyway';

/** The input of `published`: one workflow's status. */
export interface WorkflowStatus {
  title: string;
  awaiting: Awaiting;
  attention: readonly Attention[];
  connectionId?: string | undefined;
  /** Attributes that only this kind of workflow has. */
  own: readonly SearchAttributePair[];
  /** Facts about the workflow, one per line. */
  notes: readonly string[];
}

export function published(status: WorkflowStatus): Published {
  const { awaiting, attention, connectionId, own } = status;
  const flags = attention.map(({ code }) => code);
  return {
    attributes: [
      ...own,
      { key: AWAITING, value: awaiting.what },
      { key: AWAITING_SINCE, value: new Date(awaiting.since) },
      ...(flags.length === 0 ? [] : [{ key: ATTENTION, value: flags }]),
      ...(connectionId === undefined ? [] : [{ key: CONNECTION_ID, value: connectionId }]),
    ],
    removed: flags.length === 0 ? [{ key: ATTENTION, value: null }] : [],
    details: detailsOf(status),
  };
}

/** The attributes of one upsert. Empty if none is needed. */
export function attributesToUpsert(
  before: TypedSearchAttributes,
  now: Published,
  to: Publishing,
): SearchAttributeUpdatePair[] {
  const changed = changedAttributes(before, now);
  if (to === 'flags' && changed.every(({ key }) => key.name !== ATTENTION.name)) return [];
  return to === 'anyway' && changed.length === 0 ? [...now.attributes] : changed;
}

/** The attributes that differ from the current ones. While the wait is the same, `AwaitingSince` keeps the value set at the start of the run. */
function changedAttributes(
  before: TypedSearchAttributes,
  { attributes, removed }: Published,
): SearchAttributeUpdatePair[] {
  const isSameWait = attributes.some(
    ({ key, value }) => key.name === AWAITING.name && before.get(key) === value,
  );
  const keepsSince = isSameWait && before.get(AWAITING_SINCE) !== undefined;
  return [...attributes, ...removed].filter(
    ({ key, value }) =>
      asText(before.get(key)) !== asText(value) && !(keepsSince && key.name === AWAITING_SINCE.name),
  );
}

const asText = (value: unknown): string => JSON.stringify(value ?? null);

/** The Markdown at the top of the workflow's page. */
function detailsOf({ title, awaiting, attention, notes }: WorkflowStatus): string {
  const until = awaiting.until === undefined ? '' : `, until ${readable(awaiting.until)} at the latest`;
  const { waiting, next } = WAITS[awaiting.what];
  return [
    `### ${title}`,
    `**${waiting}**, since ${readable(awaiting.since)}${until}.`,
    `**Next:** ${next}`,
    ...attention.map(
      ({ code, since, detail, next: todo }) => `> **${code}** since ${readable(since)}: ${detail} ${todo}`,
    ),
    notes.map((note) => `- ${note}`).join('\n'),
  ].join('\n\n');
}

/** An instant to the second, for people. */
export const readable = (instant: Instant): string => `${instant.slice(0, 19).replace('T', ' ')} UTC`;

/** When something was requested, and by which principal, if known. */
export const requestedInWords = (at: Instant, by: string | undefined): string =>
  `requested ${readable(at)}${by === undefined ? '' : ` by ${by}`}`;

/** The reason for a state and what a person should do about it. Empty if unknown. Omits the reason's details, which may contain names. */
export function readableReason(reason: Reason): string {
  const { code, title } = reason;
  const { next, payer } = adviceOn(reason);
  const why = [code, title?.replace(/\.$/, '')].filter(isPresent).join(': ');
  const said = payer === undefined ? undefined : `Message for the payer: “${payer}”`;
  return [why === '' ? undefined : `${why}.`, next, said].filter(isPresent).join(' ');
}

const isPresent = (word: string | undefined): word is string => word !== undefined && word !== '';
