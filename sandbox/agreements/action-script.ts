// How an action on an agreement will end: as a control route has scripted it, else as its request says, else as usual.
import type { Engine } from '../engine.js';
import type { ActionScript, ActionSimulation, Script, ScriptedAction } from './agreement-action.schema.js';
import type { Agreement } from './agreement.schema.js';

const keyOf = (agreementUid: string, action: ScriptedAction): string => `${agreementUid}/${action}`;

/** For the next action of that kind on that agreement, which need not exist yet. */
export function scriptAction({ store }: Engine, agreementUid: string, script: ActionScript): void {
  const { action, simulate, delay = 0 } = script;
  store.actionScripts.set(keyOf(agreementUid, action), { simulate, delay });
  store.touch();
}

interface Asked {
  action: ScriptedAction;
  /** The `sandbox` field of the request. */
  asked: { simulate?: ActionSimulation | undefined; delay?: number | undefined } | undefined;
  usual: ActionSimulation;
}

/** To be asked once the action is accepted: a script by a control route is used up. */
export function scriptFor({ store }: Engine, { uid }: Agreement, { action, asked, usual }: Asked): Script {
  const key = keyOf(uid, action);
  const scripted = store.actionScripts.get(key);
  store.actionScripts.delete(key);
  return scripted ?? { simulate: asked?.simulate ?? usual, delay: asked?.delay ?? 0 };
}
