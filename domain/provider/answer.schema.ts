// Derives the schema of an answer from that of a request. Every field may be missing or null, and an enum may have any text, because the
// provider may add values.
import { z } from 'zod';

type Unwrapped<Field> = Field extends z.ZodOptional<infer Inner> | z.ZodDefault<infer Inner> ? Inner : Field;
type AnsweredField<Field> =
  Field extends z.ZodObject<infer Shape>
    ? z.ZodObject<AnsweredShape<Shape>>
    : Field extends z.ZodNumber
      ? z.ZodNumber
      : Field extends z.ZodBoolean
        ? z.ZodBoolean
        : Field extends z.ZodRecord
          ? z.ZodRecord<z.ZodString, z.ZodUnknown>
          : z.ZodString;
type AnsweredShape<Shape> = {
  [Name in keyof Shape]: z.ZodOptional<z.ZodNullable<AnsweredField<Unwrapped<Shape[Name]>>>>;
};

export function answered<Shape extends z.ZodRawShape>(
  requested: z.ZodObject<Shape>,
): z.ZodObject<AnsweredShape<Shape>>;
export function answered(requested: z.ZodObject): z.ZodObject {
  const fields = Object.entries(requested.shape).map(([name, field]) => [name, fieldOf(field).nullish()]);
  return z.object(Object.fromEntries(fields));
}

function fieldOf(field: unknown): z.ZodType {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault) return fieldOf(field.unwrap());
  if (field instanceof z.ZodObject) return answered(field);
  if (field instanceof z.ZodNumber) return z.int();
  if (field instanceof z.ZodBoolean) return z.boolean();
  if (field instanceof z.ZodRecord) return z.record(z.string(), z.unknown());
  return z.string();
}

type PresentShape<Shape> = {
  [Name in keyof Shape]: Shape[Name] extends z.ZodOptional<infer Inner> ? Inner : Shape[Name];
};

/** The same fields, all required: a missing value is returned as null. */
export function presentShape<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): PresentShape<Shape>;
export function presentShape(schema: z.ZodObject): z.ZodRawShape {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const inner: unknown = field instanceof z.ZodOptional ? field.unwrap() : field;
    if (inner instanceof z.ZodType) shape[name] = inner;
  }
  return shape;
}

type Present<Value> = { [Name in keyof Value]-?: Exclude<Value[Name], undefined> | null };

/** The schema's fields of a value, with null for each missing one. */
export function present<Value extends object>(
  schema: z.ZodObject<Record<keyof Value, z.ZodType>>,
  value: Value | undefined,
): Present<Value>;
export function present(schema: z.ZodObject, value: object = {}): object {
  return Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, Reflect.get(value, name) ?? null]),
  );
}
