// The reason for a failed start, without any configuration. A library's message may quote an address with a password, or an
// answer of a server.

/** Messages of the operating system are safe, wherever the native core puts them. */
const OF_THE_SYSTEM = [
  /\bOs \{[^"]*\bmessage: "([A-Za-z ]{1,80})"/,
  /\b([A-Z][A-Za-z ]{1,80}) \(os error \d+\)/,
  /\b(failed to lookup address information: [A-Za-z ]{1,80})/,
];

// prettier-ignore
/** In the order of their numbers (google.rpc.Code). */
const STATUSES = [
  'OK', 'CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS', 'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED', 'OUT_OF_RANGE', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS',
  'UNAUTHENTICATED',
];

/** The reason in an error of Temporal's library or its native core, which exposes its structure: `Connection refused`, `NOT_FOUND`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error';
  return ofTheSystem(error.message) ?? statusIn(error) ?? lastNameIn(error);
}

function ofTheSystem(message: string): string | undefined {
  for (const pattern of OF_THE_SYSTEM) {
    const reason = pattern.exec(message)?.[1];
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** The first gRPC status in the chain of causes. */
function statusIn(error: Error): string | undefined {
  for (let met: unknown = error; met instanceof Error; met = met.cause) {
    if ('code' in met && typeof met.code === 'number') return STATUSES[met.code];
  }
  return undefined;
}

/** The innermost error name of the native core, as in `Error(Transport, PrivateKeyParseError)`; otherwise the class. */
function lastNameIn({ name, message }: Error): string {
  const built = /^[a-z_:]*[A-Z][A-Za-z]*\(/.test(message) ? message.replace(/"(?:[^"\\]|\\.)*"/g, '') : '';
  return built.match(/\b(?:[A-Z][a-z]+)+\b/g)?.at(-1) ?? name;
}
