// Which resources have a page in the console, and its address.
import type { ResourceName } from '../../../domain/resources.js';

export const PAGES = {
  agreement: '/console/agreements',
  payment: '/console/payments',
  'unmatched-credit': '/console/unmatched-credits',
  'float-account': '/console/float-accounts',
} as const satisfies Partial<Record<ResourceName, string>>;
/** A resource with a page. */
export type Paged = keyof typeof PAGES;

const isPaged = (name: ResourceName): name is Paged => name in PAGES;

export const pageOf = (name: Paged, uid: string): string => `${PAGES[name]}/${encodeURIComponent(uid)}`;

/** Undefined if resources of this kind have no page. */
export const pageIfAny = (name: ResourceName, uid: string): string | undefined =>
  isPaged(name) ? pageOf(name, uid) : undefined;
