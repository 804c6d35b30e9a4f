// Follows the events of the product, as a backend does that waits for states without reading them.
import { createClient } from '../../client/create.js';

export interface Feed {
  /** Resolves once the resource has had an event of this type. Rejects if the feed ends with an error. */
  happened: (uid: string, type: string) => Promise<void>;
  close: () => void;
}

export function openFeed(url: string, apiKey: string): Feed {
  const ending = new AbortController();
  const arrived = new Set<string>();
  const waiting = new Map<string, () => void>();
  const client = createClient({ url, apiKey });
  const follow = async (): Promise<void> => {
    for await (const { event } of client.events({ since: new Date().toISOString(), signal: ending.signal })) {
      const key = keyOf(event.resource.uid, event.type);
      arrived.add(key);
      waiting.get(key)?.();
    }
  };
  const following = follow();
  // A life that waits then gets the error.
  following.catch(() => undefined);
  return {
    happened: (uid, type) => {
      const key = keyOf(uid, type);
      const itself = new Promise<void>((resolve) => {
        if (arrived.has(key)) resolve();
        else waiting.set(key, resolve);
      });
      return Promise.race([itself, following]);
    },
    close: () => {
      ending.abort();
    },
  };
}

const keyOf = (uid: string, type: string): string => `${uid} ${type}`;
