// The errors of the database.

/** The SQLSTATE or system code of an error. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Rows may be missing, for example after a restore. For whether a thing exists, the records count as away. */
export class RecordsIncomplete extends Error {
  override name = 'RecordsIncomplete';

  constructor(since: Date) {
    super(
      `the records are incomplete since ${since.toISOString()}, until \`npm run records -- rebuild\` has completed them`,
    );
  }
}

/** For a person. PostgreSQL's messages name users, databases and tables, but no password. */
export function describeError(error: unknown): string {
  const message =
    error instanceof Error && error.message !== '' ? error.message : 'the database did not answer';
  const code = codeOf(error);
  return code === undefined ? message : `${message} (${code})`;
}
