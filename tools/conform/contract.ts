// The content of a folder of OpenAPI files: operations, webhooks, events, and the judges of their bodies.
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import SwaggerParser from '@apidevtools/swagger-parser';
import { createJudges, type Judge, type Judges } from './judges.js';
import { at, itemsOf, members, pointerOf, resolved, textOf } from './json.js';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);
const EXTENSIONS = new Set(['.yml', '.yaml', '.json']);

export interface Parameter {
  name: string;
  place: string;
  required: boolean;
  isList: boolean;
  isNumber: boolean;
  judge: Judge | undefined;
}

export interface Answer {
  /** True if a body is documented. Without a judge, any JSON is accepted. */
  hasBody: boolean;
  judge: Judge | undefined;
}

export interface Operation {
  file: string;
  /** `POST /payto/payments/{}/retry`. */
  name: string;
  address: RegExp;
  parameters: readonly Parameter[];
  request: Judge | undefined;
  /** True if any body is documented. Only JSON bodies are judged. */
  takesBody: boolean;
  /** By status. */
  answers: ReadonlyMap<string, Answer>;
}

export interface Sent {
  file: string;
  type: string;
  judge: Judge;
}

export interface ApiFile {
  name: string;
  document: unknown;
}

export interface Contract {
  files: readonly ApiFile[];
  operations: readonly Operation[];
  /** By event type. */
  webhooks: ReadonlyMap<string, Sent>;
  events: ReadonlyMap<string, Sent>;
}

/** The folder or its files cannot be used. The message is for the person who named it. */
export class FolderError extends Error {}

/** @throws FolderError if the folder does not exist or contains no OpenAPI file, or if a file is unreadable. */
export async function readContract(folder: string): Promise<Contract> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new FolderError(`expected a folder of OpenAPI files; cannot read ${folder}`, { cause: error });
  });
  const candidates = names.filter((name) => EXTENSIONS.has(extname(name))).sort();
  const read = await Promise.all(candidates.map(async (name) => readFile(folder, name)));
  const files = read.filter(({ document }) => textOf(at(document, ['openapi'])) !== undefined);
  if (files.length === 0)
    throw new FolderError(`expected OpenAPI files (*.yml, *.yaml, *.json) in ${folder}; found none`);
  const parts = files.map((file) => partsOf(file, createJudges(file)));
  return {
    files,
    operations: parts.flatMap(({ operations }) => operations),
    webhooks: byType(parts.flatMap(({ webhooks }) => webhooks)),
    events: byType(parts.flatMap(({ events }) => events)),
  };
}

const byType = (sent: readonly Sent[]): Map<string, Sent> => new Map(sent.map((one) => [one.type, one]));

async function readFile(folder: string, name: string): Promise<ApiFile> {
  const address = join(folder, name);
  try {
    // Bundling resolves references to other files, and keeps internal ones.
    const document: unknown = await SwaggerParser.bundle(address);
    return { name, document };
  } catch (error) {
    throw new FolderError(
      `cannot read ${address}: ${error instanceof Error ? error.message : String(error)}`,
      {
        cause: error,
      },
    );
  }
}

function partsOf(file: ApiFile, judges: Judges) {
  const operations = members(at(file.document, ['paths'])).flatMap(([path, item]) =>
    members(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method]) => operationOf(file, judges, path, method)),
  );
  const schemas = members(at(file.document, ['components', 'schemas'])).map(([name]) => name);
  const named = (form: RegExp): Sent[] =>
    schemas.flatMap((name) => {
      const type = form.exec(name)?.[1];
      const judge = type?.includes('.') ? judges.body(['components', 'schemas', name]) : undefined;
      return type === undefined || judge === undefined ? [] : [{ file: file.name, type, judge }];
    });
  const declared = members(at(file.document, ['webhooks'])).flatMap(([type, item]) =>
    members(item).flatMap(([method]) => {
      const judge = judges.body(['webhooks', type, method, 'requestBody', ...JSON_SCHEMA]);
      return judge === undefined ? [] : [{ file: file.name, type, judge }];
    }),
  );
  return {
    operations,
    webhooks: [...named(/(?:^|\.)webhook\.(.+)$/), ...declared],
    events: named(/(?:^|\.)event\.(.+)$/),
  };
}

const JSON_SCHEMA = ['content', 'application/json', 'schema'];

function operationOf(
  { name: file, document }: ApiFile,
  judges: Judges,
  path: string,
  method: string,
): Operation {
  const place = ['paths', path, method];
  const lists = [
    ['paths', path, 'parameters'],
    [...place, 'parameters'],
  ];
  const parameters = lists.flatMap((list) =>
    itemsOf(at(document, list)).map((one, index) =>
      parameterOf(document, one, judges, [...list, String(index)]),
    ),
  );
  const answers = members(at(document, [...place, 'responses'])).map(([status, answer]): [string, Answer] => {
    const hasBody = at(resolved(document, answer), ['content', 'application/json']) !== undefined;
    return [status, { hasBody, judge: judges.body([...place, 'responses', status, ...JSON_SCHEMA]) }];
  });
  return {
    file,
    name: `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`,
    address: addressOf(path),
    parameters,
    takesBody: at(document, [...place, 'requestBody']) !== undefined,
    request: judges.request([...place, 'requestBody', ...JSON_SCHEMA]),
    answers: new Map(answers),
  };
}

const addressOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]*\}/g, '[^/]+')}$`);

function parameterOf(document: unknown, node: unknown, judges: Judges, place: string[]): Parameter {
  const parameter = resolved(document, node);
  const schema = resolved(document, at(parameter, ['schema']));
  const type = at(schema, ['type']);
  return {
    name: textOf(at(parameter, ['name'])) ?? pointerOf(place),
    place: textOf(at(parameter, ['in'])) ?? '',
    required: at(parameter, ['required']) === true,
    isList: type === 'array',
    isNumber: type === 'integer' || type === 'number',
    judge: judges.body([...place, 'schema']),
  };
}
