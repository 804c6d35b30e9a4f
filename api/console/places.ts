// Where the console shows a resource.
import type { ResourceName } from '../../domain/resources.js';

/** The kinds of resources that have a page. */
const PAGES: Partial<Record<ResourceName, string>> = {
  agreement: '/console/agreements',
  payment: '/console/payments',
};

/** The address of the page of a resource. Undefined if its kind has none. */
export function hrefOf(kind: ResourceName, uid: string): string | undefined {
  const page = PAGES[kind];
  return page === undefined ? undefined : `${page}/${encodeURIComponent(uid)}`;
}
