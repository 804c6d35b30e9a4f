// Acknowledges the open notifications of one type at once. Each request is bounded, and its answer says where to continue.
import pLimit from 'p-limit';
import { z } from 'zod';
import { AcknowledgeNotifications } from '../../../domain/float/resolution.schema.js';
import type { RowPlace } from '../../../records/lists.js';
import type { NotificationView } from '../../../workflows/notification/contract.js';
import { InstantSchema } from '../../http/answer-parts.schema.js';
import { bodyOf, contract, endpoint, json } from '../../http/contract.js';
import type { ApiDependencies } from '../../http/dependencies.js';

const PAGE = 200;
/** A request reads no further page after so many notifications, or so many that match. */
const MOST_READ = 5000;
const MOST_MATCHED = 200;
const AT_ONCE = 8;

const Acknowledged = z
  .object({
    matched: z.int().meta({ description: 'Open notifications that match, of those that were read.' }),
    acknowledged: z.int().meta({ description: 'How many are acknowledged now; 0 for a dry run.' }),
    continue_from: InstantSchema.nullable().meta({
      description: 'If not null, there may be more: repeat the request with this `received_from`.',
    }),
  })
  .meta({ id: 'AcknowledgedNotifications' });

const contracted = contract({
  method: 'post',
  path: '/v1/notifications/acknowledgements',
  operationId: 'acknowledgeNotifications',
  tags: ['operations'],
  summary: 'Acknowledge all open notifications of a type (idempotent)',
  description:
    'Call this to end many notifications of one type that need no action. ' +
    'Start with `dry_run`: it counts and changes nothing. ' +
    'One request reads at most 5,000 open notifications, oldest first, and acknowledges at most 399. If `continue_from` is not null, repeat the request with it as `received_from`. ' +
    'A request that failed may have acknowledged some of them, so it is safe to repeat.',
  task: 'float.md#acknowledge-notifications',
  access: 'operate',
  connection: 'none',
  request: { body: bodyOf(AcknowledgeNotifications) },
  answers: {
    200: json(
      'The answer says how many matched, and where to continue.',
      z.object({ data: Acknowledged }).meta({ id: 'AcknowledgedNotificationsAnswer' }),
    ),
  },
  problems: [503],
});

export const acknowledgeNotifications = endpoint(contracted, ({ temporal }) => async (c) => {
  const { reason, dry_run: isDryRun, ...filter } = c.req.valid('json');
  const { matching, next } = await read(temporal, filter, isDryRun ? MOST_READ : MOST_MATCHED);
  const given = { reason, by: c.get('principal') };
  const limit = pLimit(AT_ONCE);
  const ended = isDryRun
    ? []
    : await Promise.all(
        matching.map(({ uid }) => limit(() => temporal.notifications.acknowledge(uid, given))),
      );
  const acknowledged = ended.filter((view) => view?.state === 'acknowledged').length;
  const { type, received_before } = filter;
  c.set('audited', { type, received_before, matched: matching.length, acknowledged });
  const data = { matched: matching.length, acknowledged, continue_from: next?.value ?? null };
  return c.json({ data }, 200);
});

type Filter = Omit<z.output<typeof AcknowledgeNotifications>, 'reason' | 'dry_run'>;

async function read(
  { notifications }: ApiDependencies['temporal'],
  { type, received_from: from, received_before: until }: Filter,
  mostMatched: number,
): Promise<{ matching: NotificationView[]; next: RowPlace | undefined }> {
  const filter = { states: ['open'], created: { from, until } };
  const sort = { by: 'created', isDescending: false } as const;
  const matching: NotificationView[] = [];
  let after: RowPlace | undefined;
  for (let count = 0; count < MOST_READ && matching.length < mostMatched; count += PAGE) {
    const { items, next } = await notifications.list({ filter, sort, after, limit: PAGE });
    matching.push(...items.filter(({ fact }) => fact.type === type));
    after = next;
    if (next === undefined) break;
  }
  return { matching, next: after };
}
