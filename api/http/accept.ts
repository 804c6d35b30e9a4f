// Which of two media types a caller prefers, by the quality values of its Accept header (RFC 9110, section 12.5.1).
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import type { Env } from './env.js';

const JSON_TYPE = 'application/json';

type Match = NonNullable<Parameters<typeof accepts>[1]['match']>;
type Ranges = Parameters<Match>[0];

/** Whether the caller prefers `other`. Without a preference, it gets `usual`. */
export const prefers = (c: Context<Env>, other: string, usual: string = JSON_TYPE): boolean =>
  accepts(c, { header: 'Accept', supports: [usual, other], default: usual, match: preferred }) === other;

/** The type with the best quality. Of two equal ones, the type that the header names most exactly, then the default. */
const preferred: Match = (ranges, { supports, default: usual }) => {
  let best = { type: usual, q: 0, specificity: 0 };
  for (const type of supports) {
    const { q, specificity } = qualityOf(type, ranges);
    if (q > best.q || (q === best.q && q > 0 && specificity > best.specificity))
      best = { type, q, specificity };
  }
  return best.type;
};

function qualityOf(type: string, ranges: Ranges): { q: number; specificity: number } {
  const forms = ['*/*', `${type.split('/', 1).join()}/*`, type];
  let found = { q: 0, specificity: -1 };
  for (const { type: range, q } of ranges) {
    const specificity = forms.indexOf(range.toLowerCase());
    if (specificity > found.specificity) found = { q, specificity };
  }
  return found;
}
