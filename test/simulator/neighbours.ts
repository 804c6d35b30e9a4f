// What the workflows of a life are to each other: whom a signal reaches.
import type { ResourceState } from '../../workflows/entity/resource/state.js';
import type { Host } from './host.js';

/** A signal of one workflow to another: not to one that is over. */
export function signalTo<State>(
  to: Host<State> | undefined,
  signal: (to: Host<State>) => void,
): Promise<boolean> {
  if (to === undefined || to.isOver()) return Promise.resolve(false);
  signal(to);
  return Promise.resolve(true);
}

export const waitsForConsent = (host: Pick<Host<ResourceState<string>>, 'state'>): boolean =>
  host.state().awaiting.what === 'reauthorisation';
