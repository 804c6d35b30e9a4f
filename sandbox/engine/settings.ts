// The settings of a running sandbox: its start settings, and the account's settings from the store.
import type { Limits } from '../store/account.schema.js';
import type { Store } from '../store/document.js';

/** The start settings. The control API can change the webhook URL and secret. */
export interface StartSettings {
  webhookUrl: string;
  webhookSecret: string;
  clientId: string;
  clientSecret: string;
  redirectUri: string;
  /** If null, the seed of the saved store, else a random one. */
  seed: string | null;
  /** The address of this sandbox, set once it listens. Links in answers start with it. */
  baseUrl: string;
}

export interface Settings extends StartSettings {
  readonly limits: Limits;
  /** Whether clients can exist below the second level. */
  readonly deepHierarchy: boolean;
  /** Whether payments may name the debtor. */
  readonly customDebtor: boolean;
}

/** Reads the account's settings from the store each time, so that a reset restores their defaults. */
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
