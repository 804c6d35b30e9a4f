// What the records have of the clients and payment accounts that agreements refer to (types only).

/** Each call throws the errors of the database. */
export interface InitiatorRows {
  /** Our uid of a client, by the provider's id. The newest, if there are several. */
  clientUid: (clientId: string) => Promise<string | undefined>;
  /** The views of the counterparties with this payment account. */
  counterpartiesWith: (accountUid: string, limit: number) => Promise<object[]>;
}
