// Whether a notification and an entry of the account are of one credit. The provider does not say that both have one id (docs/provider.md#unmatched-credits). Pure.
import { normalText } from './normal-form.js';
import type { Instant } from '../facts/fact.js';
import type { CreditReport } from './credit.js';
import type { FloatEntry } from './chain.js';

/** What a payer or the provider wrote about a credit. */
export interface CreditTexts {
  reference?: string | undefined;
  description?: string | undefined;
}

/** A credit of the same account and amount, at most a day before or after, that no payment or refund explains. */
export interface SimilarEntry extends FloatEntry {
  connectionId: string;
  description: string | undefined;
  /** The case that has it. */
  caseUid: string | undefined;
  /** Whether that case has a notification. */
  isTaken: boolean;
  /** Whether an operator has decided that case. */
  isDecided: boolean;
}

/** Entries of a case, in the records. */
export interface CreditEntries {
  /** The entry that the case has. */
  entryOfCase: (
    accountUid: string,
    caseUid: string,
  ) => Promise<(FloatEntry & { connectionId: string }) | undefined>;
  /** Gives the entry to the case, unless another one has it. @returns the case that has it. */
  claimEntry: (accountUid: string, id: string, caseUid: string) => Promise<string | undefined>;
  similarEntries: (report: CreditReport) => Promise<SimilarEntry[]>;
}

export const SIMILAR_WITHIN_MS = 24 * 3_600_000;
const NEAR_MS = 60_000;
/** Shorter ones are in any text by chance. */
const LEAST_LENGTH = 4;

/**
 * The entry of a notification, by time and reference. Those at most a minute apart come first.
 * @param isFarAllowed whether an entry of the same day counts.
 * @returns undefined if none fits, or several.
 */
export function entryOf(
  report: CreditReport,
  entries: readonly SimilarEntry[],
  isFarAllowed: boolean,
): SimilarEntry | undefined {
  const fitting = entries.filter((entry) => !entry.isTaken && isNamed(report, entry));
  const near = fitting.filter(({ at }) => distanceMs(at, report.receivedAt) <= NEAR_MS);
  const [first, ...others] = near.length > 0 || !isFarAllowed ? near : fitting;
  return others.length === 0 ? first : undefined;
}

const distanceMs = (one: Instant, other: Instant): number => Math.abs(Date.parse(one) - Date.parse(other));

/** Whether two texts may be about one credit: one names the other, or nothing is written. */
export const maybeSame = (one: CreditTexts, other: CreditTexts): boolean =>
  isEmpty(one) || isEmpty(other) || isNamed(one, other) || isNamed(other, one);

const isEmpty = (texts: CreditTexts): boolean => normalised(texts).length === 0;
const normalised = ({ reference, description }: CreditTexts): string[] =>
  [reference, description].map((text) => normalText(text ?? '')).filter((text) => text !== '');

/** Whether a text has the reference, or both have one description. */
function isNamed(credit: CreditTexts, by: CreditTexts): boolean {
  const reference = normalText(credit.reference ?? '');
  const [own, texts] = [normalised(credit), normalised(by)];
  return texts.some(
    (text) => own.includes(text) || (reference.length >= LEAST_LENGTH && text.includes(reference)),
  );
}
