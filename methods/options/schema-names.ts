/** Which names an object of a schema can have: what a refusal suggests. Pure. */
import type { z } from 'zod';

/** The parts of a schema's definition that lead to those inside it. */
interface Inside {
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  valueType?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
}

/** The field names of the object at a path; none where there is no object of fixed names. */
export function namesAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const { innerType, element, valueType, shape } = schema._zod.def as Inside;
  if (innerType) return namesAt(innerType, path);
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(shape ?? {});
  const next = shape ? shape[String(first)] : (element ?? valueType);
  return next ? namesAt(next, rest) : [];
}
