import type { GatePlan } from "../../core/gates/gate-plan.ts";
import type { Gate } from "../../core/gates/gates.ts";
import { checkItems, type ReviewedItem } from "../../core/gates/governance/check-item.ts";
import { type ChecklistItem, type GovernanceDocument, kindOf } from "../../core/gates/governance/documents.ts";
import { checkDependency, DEPENDENCY_FILES, newDependencies } from "../../core/gates/governance/new-dependencies.ts";
import { completeReview, openItems, type Review, type ReviewerAnswer } from "../../core/gates/governance/review.ts";
import { writeReviewPrompt } from "../../core/gates/governance/review-prompt.ts";
import type { Inspection } from "../../core/gates/inspection.ts";
import type { History } from "../../ports/history.ts";
import type { Predictor } from "../../ports/predictor.ts";

export interface Reviewing {
  readonly history: Pick<History, "texts">;
  readonly predictor: Pick<Predictor, "diff">;
  /** Asks whoever reviews; `person` where nobody does. */
  review(prompt: string): Promise<ReviewerAnswer>;
}

export interface ReviewWorkOrder {
  readonly ref: string;
  readonly inspection: Inspection;
  readonly plan: GatePlan;
  readonly passed: readonly Gate[];
  readonly failed: readonly Gate[];
}

/** Holds a branch against the documents of its base: what code can check first, the rest by a reviewer. */
export async function reviewWork(context: Reviewing, order: ReviewWorkOrder): Promise<Review> {
  const { inspection, plan, passed, failed } = order;
  const { documents: paths, required, reviewer } = plan.review;
  const { documents, missing } = await readDocuments(context, inspection, paths);
  const known = { passed, failed, inspection };
  const items = [...checkItems(documents, known), ...(await checkDependencies(context, inspection, documents))];
  const checked = { items, missing, required };
  return completeReview(checked, reviewer ? await ask(context, order, openItems(items), documents) : null);
}

/** As the base has them: a branch does not write what it is held against. A folder is all files in it. */
async function readDocuments(
  { history }: Pick<Reviewing, "history">,
  { base }: Inspection,
  paths: readonly string[],
): Promise<{ readonly documents: GovernanceDocument[]; readonly missing: string[] }> {
  const documents: GovernanceDocument[] = [];
  const missing: string[] = [];
  for (const path of new Set(paths)) {
    const texts = await history.texts(base, [path]);
    if (texts.size === 0) missing.push(path);
    for (const [name, text] of texts) documents.push({ path: name, kind: kindOf(path), text });
  }
  return { documents, missing };
}

/** A new dependency is a decision: it needs an ADR that names it, the branch's own included. Without ADRs nobody asks. */
async function checkDependencies(
  { history }: Pick<Reviewing, "history">,
  { since, commit, changes }: Inspection,
  documents: readonly GovernanceDocument[],
): Promise<ReviewedItem[]> {
  const adrs = documents.filter(({ kind }) => kind === "adr");
  const files = changes.map(({ path }) => path).filter((path) => DEPENDENCY_FILES.test(path));
  const [first] = adrs;
  if (first === undefined || files.length === 0) return [];
  const [old, now] = await Promise.all([history.texts(since, files), history.texts(commit, files)]);
  const added = files.flatMap((file) => newDependencies(file, old.get(file) ?? null, now.get(file) ?? null));
  const own = changes.map(({ path }) => path).filter((path) => kindOf(path) === "adr");
  const texts = [...adrs.map(({ text }) => text), ...(await history.texts(commit, own)).values()];
  return added.map((dependency) => checkDependency(dependency, first.path, texts));
}

async function ask(
  context: Reviewing,
  { ref, inspection }: ReviewWorkOrder,
  items: readonly ChecklistItem[],
  documents: readonly GovernanceDocument[],
): Promise<ReviewerAnswer> {
  const { base, commit } = inspection;
  const diff = await context.predictor.diff({ base, commit, stat: false, colours: false });
  return context.review(writeReviewPrompt({ ref, commit, items, diff, documents }));
}
