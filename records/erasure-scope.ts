// What an erasure covers: the resources of one payer, and what names that payer elsewhere in the records of the connection.
import { sql, type Kysely } from 'kysely';
import { matchOfPayer, payerIn, type Payer } from '../domain/records/payer.js';
import { PERSONAL_RESOURCES, RESOURCES, type PersonalResource } from '../domain/resources.js';
import { openEntry, openRow } from './sealed.js';
import { tableOf, type EntryTable, type RowColumns, type Tables } from './tables.js';
import type { Keyring } from '../sealing/keyring.js';
import type { Condition } from './conditions.js';
import type { Opened } from './database.js';

/** What the owner of the database can name in the command. */
export interface ErasureTarget {
  resource: 'agreement' | 'unmatched-credit' | 'counterparty' | 'notification' | 'float entry';
  /** Of a float entry: `ACCOUNT/ID`. */
  uid: string;
}

export interface Resource {
  resource: PersonalResource;
  uid: string;
}

export interface Scope {
  resources: readonly Resource[];
  payer: Payer;
  /** Null: they have none. Undefined: nothing else is searched. */
  connectionId: string | null | undefined;
  /** What the erasure leaves, with the way to erase it, one a line. */
  notices: readonly string[];
}

/** Says what forbids the erasure. */
export class NotErasable extends Error {
  override readonly name = 'NotErasable';
}

const NO_PAYER: Payer = { accounts: [], accountUids: [], names: [], creditAccounts: [] };

/** @throws NotErasable if the records have no such resource. SealError if a key is missing. */
export async function scopeOf(
  opened: Opened,
  target: { resource: PersonalResource; uid: string },
): Promise<Scope> {
  const own = await ownResources(opened.db, target);
  const first = own.find(({ resource }) => resource === target.resource);
  if (first === undefined)
    throw new NotErasable(
      `expected the uid of an ${target.resource} in the records; found none with ${target.uid}`,
    );
  const payer = payerIn(await textsOf(opened, own));
  if (target.resource !== 'agreement') {
    const other = await namedElsewhere(opened, { connectionId: first.connection_id, payer, own });
    const notices = [...other.certain, ...other.possible].map(noticeOf);
    if (target.resource === 'counterparty') await requireUnused(opened.db, target.uid);
    return { resources: own, payer: NO_PAYER, connectionId: undefined, notices };
  }
  const parties = await counterpartiesOf(opened.db, target.uid, payer);
  const resources = [...own, ...parties.own];
  const whole = payerIn(await textsOf(opened, resources));
  const { connection_id: connectionId } = first;
  const other = await namedElsewhere(opened, { connectionId, payer: whole, own: resources });
  return {
    ...{ payer: whole, connectionId, resources: [...resources, ...other.certain] },
    notices: [...parties.notices, ...other.possible.map(noticeOf)],
  };
}

type Found = Resource & { connection_id: string | null };

async function ownResources(
  db: Kysely<Tables>,
  { resource, uid }: { resource: PersonalResource; uid: string },
): Promise<Found[]> {
  const select = (name: PersonalResource, condition: Condition) =>
    sql`select ${sql.lit(name)} as resource, uid, connection_id from ${sql.table(tableOf(name))} where ${condition}`;
  const found =
    resource === 'agreement'
      ? PERSONAL_RESOURCES.map((name) => select(name, ofAgreement(name, uid)))
      : [select(resource, sql`uid = ${uid}`)];
  return (await sql<Found>`${sql.join(found, sql` union all `)}`.execute(db)).rows;
}

type Rows = typeof RESOURCES;
/** The personal resources with a parent. */
type Child = {
  [Name in PersonalResource]: Rows[Name] extends { parent: string } ? Name : never;
}[PersonalResource];
const isChild = (name: PersonalResource): name is Child => 'parent' in RESOURCES[name];

/** The condition for the rows that name the agreement. Those with a parent go with it. Counterparties and notifications name none. */
function ofAgreement(name: PersonalResource, uid: string): Condition {
  const ofParent: Readonly<Record<Rows[Child]['parent'], Condition>> = {
    agreement: sql`agreement_uid = ${uid}`,
    payment: sql`payment_uid in (select uid from payments where agreement_uid = ${uid})`,
  };
  if (isChild(name)) return ofParent[RESOURCES[name].parent];
  const others: Readonly<Record<Exclude<PersonalResource, Child>, Condition>> = {
    agreement: sql`uid = ${uid}`,
    onboarding: ofParent.agreement,
    counterparty: sql`false`,
    notification: sql`false`,
    'unmatched-credit': sql`${ofParent.agreement} or ${ofParent.payment}`,
  };
  return others[name];
}

/** Their views, and the data of their entries: an amendment may have replaced an account. */
async function textsOf({ db, keyring }: Opened, resources: readonly Resource[]): Promise<unknown[]> {
  const texts: unknown[] = [];
  for (const { resource, uid } of resources) {
    const table = tableOf(resource);
    const row = await db.selectFrom(table).selectAll().where('uid', '=', uid).executeTakeFirstOrThrow();
    const entries = await db
      .selectFrom('entries')
      .selectAll()
      .where('workflow_id', '=', row.workflow_id)
      .execute();
    texts.push(openRow(keyring, table, uid, row), ...entries.map((entry) => openedEntry(keyring, entry)));
  }
  return texts;
}

const openedEntry = (
  keyring: Keyring,
  { workflow_id: workflowId, ...entry }: Pick<EntryTable, 'workflow_id' | 'sequence' | 'kind'> & Sealed,
): unknown => openEntry(keyring, { ...entry, workflowId }, entry);
type Sealed = Pick<RowColumns, 'connection_id' | 'key_id' | 'sealed'>;

interface Users {
  agreement_uid: string | null;
}

/** Agreements and onboardings with personal data that use a counterparty of the outer statement. */
const usersOf = (except: string): Condition => sql`
  select agreements.uid as agreement_uid from agreements
  where agreements.erased_at is null and agreements.uid <> ${except}
    and agreements.payment_account_uids && counterparties.payment_account_uids
  union all
  select onboardings.agreement_uid from onboardings
  where onboardings.erased_at is null and onboardings.agreement_uid is distinct from ${except}
    and onboardings.counterparty_uid = counterparties.uid`;

/** The counterparties that its onboarding made, or whose account it names. Not those that others use too. */
async function counterpartiesOf(
  db: Kysely<Tables>,
  agreementUid: string,
  { accountUids }: Payer,
): Promise<{ own: Found[]; notices: string[] }> {
  const { rows } = await sql<Found & { other: string | null; is_shared: boolean }>`
    select 'counterparty' as resource, uid, connection_id, users.agreement_uid as other, users.count > 0 as is_shared
    from counterparties, lateral (
      select max(agreement_uid) as agreement_uid, count(*) as count
      from (${usersOf(agreementUid)}) one) users
    where uid in (select counterparty_uid from onboardings where agreement_uid = ${agreementUid})
      or payment_account_uids && ${[...accountUids]}::text[]`.execute(db);
  return {
    own: rows
      .filter(({ is_shared: isShared }) => !isShared)
      .map(({ resource, uid, connection_id }) => ({ resource, uid, connection_id })),
    notices: rows
      .filter(({ is_shared: isShared }) => isShared)
      .map(
        ({ uid, other }) =>
          `counterparty ${uid} stays, because ${other === null ? 'another onboarding' : `agreement ${other}`} uses it: erase that too`,
      ),
  };
}

async function requireUnused(db: Kysely<Tables>, uid: string): Promise<void> {
  const { rows } = await sql<Users>`
    select users.agreement_uid from counterparties, lateral (${usersOf('')}) users where uid = ${uid}`.execute(
    db,
  );
  const [user] = rows;
  if (user === undefined) return;
  const what = user.agreement_uid === null ? 'an onboarding' : `agreement ${user.agreement_uid}`;
  throw new NotErasable(`expected a counterparty that nothing uses; found ${what}. Erase that first`);
}

interface Sought {
  connectionId: string | null;
  payer: Payer;
  own: readonly Resource[];
}

/** The resources that may name a payer, and name no agreement of another one. */
const ELSEWHERE = {
  'unmatched-credit': sql`agreement_uid is null and payment_uid is null`,
  notification: sql`true`,
  counterparty: sql`not exists (${usersOf('')})`,
} as const satisfies Partial<Record<PersonalResource, Condition>>;

/** @returns what has an account of the payer, and what only has the name. */
async function namedElsewhere(
  { db, keyring }: Opened,
  { connectionId, payer, own }: Sought,
): Promise<{ certain: Resource[]; possible: Resource[] }> {
  const found: { certain: Resource[]; possible: Resource[] } = { certain: [], possible: [] };
  for (const [resource, condition] of Object.entries(ELSEWHERE) as [keyof typeof ELSEWHERE, Condition][]) {
    const table = tableOf(resource);
    const isOwn = new Set(own.filter((one) => one.resource === resource).map(({ uid }) => uid));
    const due = sql`erased_at is null and ${ofConnection(connectionId)} and ${condition}`;
    for await (const row of pagesOf<RowColumns>(db, { table, key: ['uid'], due })) {
      const match = isOwn.has(row.uid)
        ? undefined
        : matchOfPayer(payer, openRow(keyring, table, row.uid, row));
      if (match === undefined) continue;
      found[match === 'account' ? 'certain' : 'possible'].push({ resource, uid: row.uid });
    }
  }
  return found;
}

/** Also what could not be attributed to a connection. */
export const ofConnection = (connectionId: string | null): Condition =>
  sql`(connection_id is not distinct from ${connectionId} or connection_id is null)`;

const OPTIONS: Readonly<Record<keyof typeof ELSEWHERE, string>> = {
  'unmatched-credit': '--credit',
  notification: '--notification',
  counterparty: '--counterparty',
};

const noticeOf = ({ resource, uid }: Resource): string =>
  `${resource} ${uid} may name the payer: read it, and erase it with ${OPTIONS[resource as keyof typeof OPTIONS]} ${uid}`;

const PAGE = 500;

/** The rows that are due, in the order of the key. */
export async function* pagesOf<Row extends object>(
  db: Kysely<Tables>,
  { table, key, due }: { table: string; key: readonly string[]; due: Condition },
): AsyncGenerator<Row> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  const valuesOf = (row: Row): unknown[] => key.map((name) => Reflect.get(row, name) as unknown);
  let last: Row | undefined;
  for (;;) {
    const beyond = last === undefined ? sql`true` : sql`(${columns}) > (${sql.join(valuesOf(last))})`;
    const { rows }: { rows: Row[] } = await sql<Row>`
      select * from ${sql.table(table)} where (${due}) and ${beyond} order by ${columns} limit ${PAGE}`.execute(
      db,
    );
    yield* rows;
    last = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}
