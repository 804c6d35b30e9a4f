// Where the console shows a resource.
import type { ResourceName } from '../../domain/resources.js';

/** The kinds of resources that have a page. */
export const PAGES = {
  agreement: '/console/agreements',
  payment: '/console/payments',
  'unmatched-credit': '/console/unmatched-credits',
  'float-account': '/console/float-accounts',
} as const satisfies Partial<Record<ResourceName, string>>;
/** A resource with a page. */
export type Paged = keyof typeof PAGES;

const isPaged = (kind: ResourceName): kind is Paged => kind in PAGES;

/** The address of the page of a resource. */
export const pageOf = (kind: Paged, uid: string): string => `${PAGES[kind]}/${encodeURIComponent(uid)}`;

/** The same, or undefined if its kind has no page. */
export const hrefOf = (kind: ResourceName, uid: string): string | undefined =>
  isPaged(kind) ? pageOf(kind, uid) : undefined;
