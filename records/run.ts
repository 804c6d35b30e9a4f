// How statements of our own text run: on a pool, which prepares them, or on a database that a command has opened.
import { CompiledQuery, type Kysely } from 'kysely';
import type { RecordsPool } from './pool.js';
import type { Tables } from './tables.js';

/** A statement, prepared once under its name for each connection. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** Runs one statement. @throws the errors of the database. */
export type Run = <Row>(statement: Statement) => Promise<Row[]>;

export const onDatabase =
  (db: Kysely<Tables>): Run =>
  async <Row>({ text, values }: Statement) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;

export const onPool =
  ({ connect }: RecordsPool): Run =>
  async <Row>(statement: Statement) => {
    const connection = await connect();
    try {
      return (await connection.query(statement)).rows as Row[];
    } finally {
      connection.release();
    }
  };
