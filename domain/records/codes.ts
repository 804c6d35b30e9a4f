// The forms of codes and ids, which may be stored in the clear. Pure.

/** A code of the provider or of ours. Names, accounts and tokens have other forms. */
const CODE = /^(?=.{1,64}$)(?:[a-z][a-z_]*(?:[.-][a-z_]+)*|[A-Z]{1,8}\d{0,6})$/;
const ID = /^[A-Za-z0-9][\w.:/-]{0,199}$/;

export const codeIn = (value: unknown): string | null =>
  typeof value === 'string' && CODE.test(value) ? value : null;
export const idIn = (value: unknown): string | null =>
  typeof value === 'string' && ID.test(value) ? value : null;
