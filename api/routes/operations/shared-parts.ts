// Writes what the OpenAPI document would repeat once, as a named component, and refers to it. It halves the document.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { PART_NAME } from '../../http/parameters.schema.js';
import { nameOfProblem } from '../../http/problems/responses.js';
import { inPascalCase } from '../resource.js';

export type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>;
type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;
type Components = NonNullable<Document['components']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/**
 * Moves parameters that several operations repeat, problem answers, and the body and answer of webhooks into the components.
 * @throws Error if two different parts would have one name.
 */
export function sharedParts(document: Document): Document {
  const operations = Object.values(document.paths ?? {}).flatMap(operationsOf);
  const hooks = Object.values(document.webhooks ?? {}).flatMap((hook) =>
    '$ref' in hook ? [] : operationsOf(hook),
  );
  document.components = {
    ...document.components,
    parameters: sharedParameters(operations),
    responses: { ...sharedProblems(operations), ...sharedAnswers(hooks) },
    requestBodies: sharedBodies(hooks),
  };
  return document;
}

const operationsOf = (item: Partial<Record<(typeof METHODS)[number], Operation>>): Operation[] =>
  METHODS.flatMap((method) => item[method] ?? []);

/** Adds a part under its name. @returns the reference to it. */
function refer<Kind extends 'parameters' | 'responses' | 'requestBodies'>(
  kind: Kind,
  shared: NonNullable<Components[Kind]>,
  name: string,
  part: NonNullable<Components[Kind]>[string],
): { $ref: string } {
  const other = shared[name];
  if (other !== undefined && JSON.stringify(other) !== JSON.stringify(part))
    throw new Error(`two ${kind} of the API document have the name ${name}: give one another ${PART_NAME}`);
  Object.assign(shared, { [name]: part });
  return { $ref: `#/components/${kind}/${name}` };
}

function sharedParameters(operations: readonly Operation[]): NonNullable<Components['parameters']> {
  const shared: NonNullable<Components['parameters']> = {};
  const uses = new Map<string, number>();
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const text = JSON.stringify(parameter);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  for (const operation of operations)
    if (operation.parameters !== undefined)
      operation.parameters = operation.parameters.map((parameter) => {
        if ('$ref' in parameter) return parameter;
        const { name, part } = withoutRepeats(parameter);
        const isShared = (uses.get(JSON.stringify(parameter)) ?? 0) > 1;
        return isShared ? refer('parameters', shared, name, part) : part;
      });
  return shared;
}

/** The library writes the description both beside the schema and into it. */
function withoutRepeats(parameter: Parameter): { name: string; part: Parameter } {
  const { schema = {} } = parameter;
  if ('$ref' in schema) return { name: partName(parameter.name), part: parameter };
  const { description: _, [PART_NAME]: stated, ...rest } = schema as typeof schema & { [PART_NAME]?: string };
  return { name: partName(stated ?? parameter.name), part: { ...parameter, schema: rest } };
}

/** `per_page` is `PerPageParameter`: generators give types of parameters, answers and schemas names in one namespace. */
const partName = (name: string): string => `${inPascalCase(name)}Parameter`;

type Answer = NonNullable<Components['responses']>[string];
const answersOf = ({ responses = {} }: Operation): [status: string, answer: Answer][] =>
  Object.entries(responses);

function sharedProblems(operations: readonly Operation[]): NonNullable<Components['responses']> {
  const shared: NonNullable<Components['responses']> = {};
  for (const operation of operations)
    for (const [status, answer] of answersOf(operation)) {
      const name = nameOfProblem(status);
      const isProblem =
        'content' in answer && Object.keys(answer.content ?? {}).join() === 'application/problem+json';
      if (name !== undefined && isProblem)
        operation.responses = { ...operation.responses, [status]: refer('responses', shared, name, answer) };
    }
  return shared;
}

function sharedAnswers(hooks: readonly Operation[]): NonNullable<Components['responses']> {
  const shared: NonNullable<Components['responses']> = {};
  for (const hook of hooks)
    for (const [status, answer] of answersOf(hook))
      hook.responses = { [status]: refer('responses', shared, 'Received', answer) };
  return shared;
}

function sharedBodies(hooks: readonly Operation[]): NonNullable<Components['requestBodies']> {
  const shared: NonNullable<Components['requestBodies']> = {};
  for (const hook of hooks)
    if (hook.requestBody !== undefined)
      hook.requestBody = refer('requestBodies', shared, 'EventBody', hook.requestBody);
  return shared;
}
