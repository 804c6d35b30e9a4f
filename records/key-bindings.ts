// Idempotency keys that no run holds: those of creates, and those that runs have dropped.
import { RecordsIncomplete } from './errors.js';
import { INCOMPLETE_SINCE } from './incomplete.js';
import type { KeyUse } from '../domain/commands/key-use.js';
import type { BoundKey, KeyRequest } from '../domain/records/bound-key.js';
import type { Run } from './run.js';

/** `uses` counts the requests that were the same, so 1 means that the key is new. */
export interface KeyBinding extends BoundKey {
  uses: number;
}

/**
 * Binds a key to its first request, in one statement. Another request under the key changes nothing.
 * @returns what the key is bound to.
 * @throws the errors of the database, and RecordsIncomplete: then nothing is bound.
 */
export async function bindKey(run: Run, { key, resource, uid, body }: KeyRequest): Promise<KeyBinding> {
  return present(
    await run<Found<KeyBinding>>({
      name: 'bind key',
      text: `
        with bound as (
          insert into idempotency_keys as stored (key, resource, uid, body)
          select $1::text, $2::text, $3::text, $4::text where not exists (select from incomplete)
          on conflict (key) do update
            set uses = stored.uses + (stored.uid = excluded.uid and stored.body = excluded.body)::int
          returning resource, uid, body, uses)
        select bound.*, ${INCOMPLETE_SINCE} as incomplete_since
        from (values (1)) as one left join bound on true`,
      values: [key, resource, uid, body],
    }),
  ) as KeyBinding;
}

/** @throws the errors of the database, and RecordsIncomplete. */
export async function readKey(run: Run, key: string): Promise<BoundKey | undefined> {
  return present(
    await run<Found<BoundKey>>({
      name: 'read key',
      text: `
        select resource, uid, body, ${INCOMPLETE_SINCE} as incomplete_since
        from (values ($1::text)) as given (key) left join idempotency_keys using (key)`,
      values: [key],
    }),
  );
}

/** Frees the key of a request that was refused, unless another request has used it since. @throws the errors of the database. */
export async function freeKey(run: Run, { key, uid, body }: KeyUse): Promise<void> {
  await run({
    name: 'free key',
    text: `delete from idempotency_keys where key = $1 and uid = $2 and body = $3 and uses = 1`,
    values: [key, uid, body],
  });
}

type Found<Binding> = (Binding | { uid: null }) & { incomplete_since: Date | null };

function present<Binding extends BoundKey>([found]: Found<Binding>[]): Binding | undefined {
  if (found === undefined) return undefined;
  const { incomplete_since: since, ...binding } = found;
  if (since !== null) throw new RecordsIncomplete(since);
  return binding.uid === null ? undefined : (binding as unknown as Binding);
}
