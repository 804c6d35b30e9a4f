// The query parameters that lists share: filters, sort and page. Each list composes its own from them.
import { z } from 'zod';
import { UidSchema } from '../../domain/agreement/mandate.schema.js';
import { ANY_FLAG, ATTENTION_CODES } from '../../domain/attention/flags.js';
import { AWAITED } from '../../domain/attention/awaiting.js';
import type { SORTS } from '../../records/lists.js';
import { START } from './paging.js';
import { NOT_NEAR, isNear } from '../../domain/time/near.js';
import { PART_NAME, connectionId, paging } from './parameters.schema.js';

/** `unknown` is our own state: adopted, but the provider did not know the uid for a whole day. */
export const viewStates = <State extends string>(states: readonly State[]) => [...states, 'unknown'] as const;

export const instant = (description: string) =>
  z.iso
    .datetime({ error: 'expected an RFC 3339 instant in UTC, ending in Z', abort: true })
    .refine(isNear, NOT_NEAR)
    .transform((text) => new Date(text).toISOString())
    .optional()
    .meta({ description, example: '2026-10-01T00:00:00Z' });

export const cents = (description: string) =>
  z
    .string()
    .regex(/^(0|[1-9][0-9]{0,14})$/, 'expected whole cents')
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: 0, description });

/** Not a default of the schema, because `changed_after` refuses a request that names a sort. */
export const DEFAULT_SORT = '-created';

export const sort = (names: readonly (typeof SORTS)[number][]) =>
  z
    .enum(names.flatMap((name): string[] => [name, `-${name}`]))
    .optional()
    .meta({
      default: DEFAULT_SORT,
      [PART_NAME]: `sort_by_${names.join('_')}`,
      description:
        'The order. A minus sign means: largest or latest first. `settled` leaves out what has not settled.',
    });

export const client = UidSchema.optional().meta({
  description:
    'Only what this client initiates; in the list of clients, only the client itself. It is the id that the provider gave it.',
  example: '0195e5a4-0000-7000-8000-000000000002',
});
export const amounts = {
  amount_min: cents('Only those that have at least this amount, in cents.'),
  amount_max: cents('Only those that have at most this amount, in cents.'),
};
export const settled = {
  settled_from: instant('Settled at or after this time. For a refund: processed.'),
  settled_until: instant('Settled before this time. For a refund: processed.'),
};
export const metadata = {
  metadata_key: z.string().min(1).max(64).optional().meta({
    description:
      'Only resources whose metadata have this key with `metadata_value`, which must be present too.',
  }),
  metadata_value: z.string().max(2048).optional().meta({
    description: 'The value that this key must have exactly. Write numbers and booleans as text.',
  }),
};

const changedAfter = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,400}$/, `expected ${START} or the changed_after in links.next`)
  .optional()
  .meta({
    description:
      `Follows changes: the resources that changed after this place, oldest change first. Begin with \`${START}\`, which has every resource. ` +
      '`links.next` is always present, also on an empty page, and has the next `changed_after`: store it, and ask again. While `up_to_date` ' +
      'is false there are more, also after a page without items. A resource appears again after it ' +
      'changed, with its current state: at least once after its last change, not once for each. One that no longer matches a filter, or has expired, is not reported. Other filters may be ' +
      'combined, except `unanswered`, and `client` for payments; `sort` and `cursor` may not.',
    example: START,
  });
/** What depends on the time of the request, or on another order. */
const NOT_FOLLOWED = ['sort', 'cursor', 'unanswered'] as const;

type Filters = Readonly<Record<string, z.ZodType<string | number | undefined>>>;

const isPaired = ({ metadata_key: key, metadata_value: value }: Readonly<Record<string, unknown>>): boolean =>
  (key === undefined) === (value === undefined);

function refuseAnotherOrder(given: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  if (given['changed_after'] === undefined) return;
  for (const name of NOT_FOLLOWED.filter((one) => given[one] !== undefined))
    context.addIssue({
      code: 'custom',
      path: [name],
      message: `expected no ${name} with changed_after, which has an order of its own`,
    });
}

/** The query of a list of resources. @param more its own parameters, and its `sort` if it has several. */
export const listQuery = (states: readonly string[], more: Filters = {}) =>
  z
    .strictObject({
      state: z.enum(states).optional().meta({ description: 'Only resources that are in this state.' }),
      awaiting: z
        .enum(AWAITED)
        .optional()
        .meta({ description: 'Only resources that wait for this; `awaiting.what` shows it.' }),
      attention: z
        .enum([...ATTENTION_CODES, ANY_FLAG])
        .optional()
        .meta({
          description:
            'Only resources with this flag: a person must act on them. `any`: with at least one flag.',
        }),
      connection: connectionId.optional().meta({
        description:
          'Only what belongs to this connection. A key that is bound to connections must name one of them.',
        [PART_NAME]: 'connection_filter',
      }),
      created_from: instant(
        'Requested at or after this time. If it was found at the provider, the time when we first saw it.',
      ),
      created_until: instant('Requested before this time.'),
      updated_from: instant(
        'Last changed at or after this time. Not for following changes: a change may be stored later with an earlier time. Use `changed_after`.',
      ),
      updated_until: instant('Last changed before this time.'),
      changed_after: changedAfter,
      sort: sort(['created']),
      ...paging,
      ...more,
    })
    .refine(isPaired, {
      error: 'expected metadata_key and metadata_value together',
      path: ['metadata_value'],
    })
    .superRefine(refuseAnotherOrder);

/** The filters of all lists. */
export type ListQuery = Readonly<Record<string, string | number | undefined>> & {
  per_page: number;
  sort?: string | undefined;
  changed_after?: string | undefined;
  cursor?: string | undefined;
};
