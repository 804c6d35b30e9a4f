// What the sandbox and the account it serves are set to.
import { Account, Limits } from '../account.schema.js';
import type { Engine } from '../engine.js';
import { refuse } from '../http/refusal.js';
import type { Control } from './control.js';

type AccountControls = Pick<Control, 'setLimits' | 'setOrganisation' | 'setApplication' | 'setOAuth'>;
type ServerControls = Pick<Control, 'setWebhookUrl' | 'setWebhookSecret' | 'revokeGrants' | 'reset'>;

export function settingControls(engine: Engine): AccountControls & ServerControls {
  return { ...accountControls(engine), ...serverControls(engine) };
}

function accountControls({ store }: Engine): AccountControls {
  const change = (changes: object): void => {
    store.account = Account.parse({ ...store.account, ...changes });
    store.touch();
  };
  return {
    setLimits(limits) {
      change({ limits: Limits.parse({ ...store.account.limits, ...limits }) });
    },
    setOrganisation(organisation) {
      change(organisation);
    },
    setApplication({ scopes }) {
      change({ scopes: [...new Set(scopes)] });
    },
    setOAuth({ grace_seconds }) {
      change({ grace_seconds });
    },
  };
}

function serverControls({ store, settings, clock }: Engine): ServerControls {
  return {
    setWebhookUrl(url) {
      settings.webhookUrl = url;
    },
    setWebhookSecret(secret) {
      settings.webhookSecret = secret;
    },
    revokeGrants(id) {
      const meant = [...store.grants.values()].filter((grant) => id === undefined || grant.id === id);
      if (id !== undefined && meant.length === 0) throw refuse(404, 'Not Found', `There is no grant ${id}`);
      for (const grant of meant) grant.revoked = true;
      store.touch();
    },
    reset() {
      store.clear();
      clock.release(Date.now());
    },
  };
}
