// Where the console shows a resource.
import type { ResourceName } from '../../domain/resources.js';

export type Kind = ResourceName | 'webhook-endpoint';

/** The kinds that have a page. */
const PAGES: Partial<Record<Kind, string>> = {
  agreement: '/console/agreements',
  payment: '/console/payments',
  connection: '/console/connections',
  'webhook-endpoint': '/console/webhook-endpoints',
};

/** The address of the page of a resource. Undefined if its kind has none. */
export function hrefOf(kind: Kind, uid: string): string | undefined {
  const page = PAGES[kind];
  return page === undefined ? undefined : `${page}/${encodeURIComponent(uid)}`;
}
