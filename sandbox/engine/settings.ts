// What the running sandbox is set to: what it was started with, and what the store remembers of the account.
import type { Limits } from '../store/account.schema.js';
import type { Store } from '../store/document.js';

/** As it was started; the control routes may change where webhooks go and how they are signed. */
export interface StartSettings {
  webhookUrl: string;
  webhookSecret: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  /** Null: that of the saved store, or else one by chance. */
  seed: string | null;
  /** Where this sandbox is reached; known once it listens. Links in answers begin with it. */
  baseUrl: string;
}

export interface Settings extends StartSettings {
  readonly limits: Limits;
  /** Whether clients may stand below the second level. */
  readonly deepHierarchy: boolean;
  /** Whether payments may name the debtor themselves. */
  readonly customDebtor: boolean;
}

/** The account's part is read from the store each time: a reset brings back what it began with. */
export function settingsOver(start: StartSettings, store: Store): Settings {
  return {
    ...start,
    get limits() {
      return store.account.limits;
    },
    get deepHierarchy() {
      return store.account.deep_hierarchy;
    },
    get customDebtor() {
      return store.account.custom_debtor;
    },
  };
}
