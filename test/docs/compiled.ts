/** What the sources declare, as the TypeScript compiler reads it. */
import { join } from 'node:path';
import { type FunctionDeclaration, type Node, SyntaxKind } from 'typescript/unstable/ast';
import { isConstructorDeclaration, isFunctionDeclaration } from 'typescript/unstable/ast/is';
import {
  API,
  NodeBuilderFlags,
  SymbolFlags,
  type Type,
  type TypeReference,
  type Symbol as TypeScriptSymbol,
} from 'typescript/unstable/sync';
import { packageRoot } from '../../stores/package-root.js';

const root = packageRoot();
const api = new API({ cwd: root });
const configuration = join(root, 'tsconfig.json');
const project = api.updateSnapshot({ openProjects: [configuration] }).getProject(configuration);
if (!project) throw new Error(`${configuration} is no project.`);
const { program, checker } = project;

/** Ends the compiler, after which nothing here can be asked. */
export const close = () => api.close();

/** A declaration that a module exports. */
export interface Declared {
  name: string;
  /** Its comment, without tags; empty if it has none. */
  doc: string;
  isType: boolean;
  symbol: TypeScriptSymbol;
}

/** Returns what a source file, such as "client/index.ts", exports, of its own and of others. */
export function exportsOf(file: string): Declared[] {
  const source = program.getSourceFile(join(root, file));
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} is no module of the project.`);
  return checker.getExportsOfModule(module).map((exported) => {
    const symbol = declaredBy(exported);
    const isType = (symbol.flags & SymbolFlags.Value) === 0;
    return { name: exported.name, doc: docOf(symbol), isType, symbol };
  });
}

function declaredBy(symbol: TypeScriptSymbol): TypeScriptSymbol {
  return symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

const docOf = (symbol: TypeScriptSymbol) => symbol.getDocumentationComment(checker).trim();

const WHOLE = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseSingleQuotesForStringLiteralType;
const SHORTENED = NodeBuilderFlags.UseSingleQuotesForStringLiteralType;
/** A type that takes more characters is shortened in its middle. */
const MOST_CHARACTERS = 480;

/** Returns a type as one writes it. */
function written(type: Type | undefined): string {
  if (!type) return 'unknown';
  const whole = checker.typeToString(type, undefined, WHOLE);
  if (whole.length <= MOST_CHARACTERS) return whole;
  return checker.typeToString(type, undefined, SHORTENED);
}

/** Returns the type of a value. */
export function typeOf({ symbol }: Declared): string {
  return written(checker.getTypeOfSymbol(symbol));
}

/**
 * Returns what a value is called with and gives: of functions and classes as the source says it.
 *
 * @param named Types by which an inferred result is called if it is one of them.
 */
export function signaturesOf(declared: Declared, named: readonly Declared[] = []): string[] {
  const { name, symbol } = declared;
  const nodes = symbol.declarations.flatMap((handle) => handle.resolve(project) ?? []);
  const called = nodes.filter(isFunctionDeclaration);
  if (called.length > 0) {
    // The last one of several only implements the others.
    const seen = called.length > 1 ? called.slice(0, -1) : called;
    return seen.map((node) => `${headOf(node, node.body)}${inferred(node, named)}`);
  }
  const made = nodes.flatMap(childrenOf).find(isConstructorDeclaration);
  if (made) return [headOf(made, made.body).replace('constructor', `new ${name}`)];
  return [`${name}: ${typeOf(declared)}`];
}

/** Returns a declaration in one line, as it is written before its body. */
function headOf(node: Node, body: Node | undefined): string {
  const text = node.getText();
  const length = body ? body.pos - node.end : text.length;
  return text
    .slice(0, length)
    .replace(/\s+/g, ' ')
    .replace(/([({<]) ?(?=\S)/g, (all, open) => (open === '{' ? all : open))
    .replace(/,? ([)>])/g, '$1')
    .replace(/^(?:export )?(?:async )?function\*? /, '')
    .trim();
}

/** Returns the result of a function that does not say it itself. */
function inferred(node: FunctionDeclaration, named: readonly Declared[]): string {
  if (node.type) return '';
  const signature = checker.getSignatureFromDeclaration(node);
  const result = signature && checker.getReturnTypeOfSignature(signature);
  const nameOf = (type: Type | undefined) =>
    named.find(({ symbol }) => checker.getDeclaredTypeOfSymbol(symbol).id === type?.id)?.name;
  if (result?.getSymbol()?.name !== 'Promise') return `: ${nameOf(result) ?? written(result)}`;
  const [awaited] = checker.getTypeArguments(result as TypeReference);
  return `: Promise<${nameOf(awaited) ?? written(awaited)}>`;
}

/** Returns the functions of a type by their names, each with its comment. */
export function functionsOf({ symbol }: Declared): { name: string; doc: string }[] {
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  return checker.getPropertiesOfType(type).flatMap((property) => {
    const own = checker.getTypeOfSymbol(property);
    const called = own && checker.getNonNullableType(own);
    const isFunction = called && checker.getSignaturesOfType(called, 0).length > 0;
    return isFunction && isOurs(property) ? [{ name: property.name, doc: docOf(property) }] : [];
  });
}

function isOurs({ declarations }: TypeScriptSymbol): boolean {
  return declarations.some(({ path }) => !path.includes('/node_modules/'));
}

/** Returns the types of a type's members by their names. */
export function membersOf({ symbol }: Declared): Map<string, string> {
  const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
  return new Map(members.map((one) => [one.name, written(checker.getTypeOfSymbol(one))]));
}

/** Returns our types that declarations name, and those that these name, as they are written. */
export function typesNamedBy(declared: readonly Declared[]): { name: string; text: string }[] {
  const found = new Map<string, string>();
  function look(symbol: TypeScriptSymbol): void {
    for (const handle of symbol.declarations) {
      const node = handle.resolve(project);
      if (node) visit(node);
    }
  }
  function visit(node: Node): void {
    if (node.kind === SyntaxKind.TypeReference) {
      const [name] = childrenOf(node);
      const named = name && checker.getSymbolAtLocation(name);
      const symbol = named && declaredBy(named);
      if (symbol && isOurs(symbol) && !found.has(symbol.name)) add(symbol);
    }
    for (const child of childrenOf(node)) visit(child);
  }
  function add(symbol: TypeScriptSymbol): void {
    const [handle] = symbol.declarations;
    const node = handle?.resolve(project);
    const isDeclared =
      node?.kind === SyntaxKind.InterfaceDeclaration ||
      node?.kind === SyntaxKind.TypeAliasDeclaration;
    if (!node || !isDeclared) return;
    found.set(symbol.name, textOf(node));
    visit(node);
  }
  for (const { symbol } of declared) look(symbol);
  return [...found]
    .map(([name, text]) => ({ name, text }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns a declaration with its own comment, without that of its module. */
function textOf(node: Node): string {
  const text = node.getText();
  const before = node.getFullText().slice(0, -text.length).trim();
  const comment = before.slice(Math.max(before.lastIndexOf('/**'), 0));
  return `${comment}\n${text.replace(/^export /, '')}`.trim();
}

function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  node.forEachChild((child) => void children.push(child));
  return children;
}
