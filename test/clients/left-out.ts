// Compares a generated client with the API document.
import { z } from 'zod';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;

const Document = z.object({
  paths: z.record(z.string(), z.partialRecord(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.object({ oneOf: z.unknown().optional() })) }),
});
const Operation = z.object({ operationId: z.string() });

/** The names in the document, or in the code of a generated client. */
export interface Names {
  operations: readonly string[];
  schemas: readonly string[];
}

/** Without unions: in Python they have no type of their own. */
export function namesInDocument(text: string): Names {
  const { paths, components } = Document.parse(JSON.parse(text));
  const operations = Object.values(paths).flatMap((path) =>
    METHODS.flatMap((method) => (path[method] === undefined ? [] : [Operation.parse(path[method])])),
  );
  return {
    operations: operations.map(({ operationId }) => operationId),
    schemas: Object.entries(components.schemas).flatMap(([name, { oneOf }]) => (oneOf ? [] : [name])),
  };
}

/** The operations and schemas that the generated client lacks. Languages differ in upper case and underscores. */
export function leftOut(document: Names, generated: Names): string[] {
  const lacks = (kind: keyof Names): string[] => {
    const found = new Set(generated[kind].map(plain));
    return document[kind].filter((name) => !found.has(plain(name)));
  };
  return [
    ...lacks('operations').map((name) => `operation ${name}`),
    ...lacks('schemas').map((name) => `schema ${name}`),
  ];
}

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
