"""Loading of a causal language model, and of its trained adapter if there is one."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import torch
import transformers

from clew.tools.embedding.sentence_model import quiet_loading
from clew.tools.errors import BadInput
from clew.tools.learning.generation.load_options import LoadOptions
from clew.tools.learning.generation.memory import OutOfMemory as OutOfMemory
from clew.tools.learning.generation.memory import free_memory as free_memory
from clew.tools.learning.generation.memory import is_out_of_memory as is_out_of_memory
from clew.tools.learning.generation.memory import out_of_memory as out_of_memory
from clew.tools.learning.generation.placing import moved, placement

MANIFEST = "clew.json"
"""File beside the weights of a model that was trained here: its base, recipe, scores and temperature."""
_MARKS = 32
_SAID = "ZQX"


@dataclass(frozen=True, slots=True, eq=False)
class LanguageModel:
    """A model, its tokenizer, and the tokens that end a reply."""

    model: Any
    tokenizer: Any
    name: str
    end_token: int
    base: str
    """What it was loaded from; with an adapter, what that was trained on."""
    numbers_names: bool = False
    """Whether it was trained on numbers in the place of names (clew.tools.learning.generation.numbered_names)."""
    keep_from: float = 0.0
    """The share of the likeliest text's probability from which on another text is an answer too."""

    @property
    def chats(self) -> bool:
        """Whether prompts are turns of a conversation."""
        return bool(self.tokenizer.chat_template)


def load(
    name: str,
    adapter: str | None = None,
    *,
    to_train: bool = False,
    **options: Unpack[LoadOptions],
) -> LanguageModel:
    """A model of transformers by its folder, or by its name where it is on this machine (or `downloads` are allowed).

    A folder that holds only an adapter is loaded with the base that the adapter names. The manifest that training wrote
    beside the weights is used.

    Args:
        adapter: Folder of an adapter for the model.
        to_train: Leave out the temperature that training has found.
        **options: See `LoadOptions`.

    Raises:
        BadInput: There is no such model, or the adapter belongs to another one.
        OutOfMemory: The model does not fit.
    """
    base, adapter = _parts(name, adapter)
    downloads = options.get("downloads", False)
    device = options.get("device") or ("cuda" if torch.cuda.is_available() else "cpu")
    with out_of_memory(f"The model {base}"), quiet_loading():
        given, is_placed = placement(device, options)
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(base, local_files_only=not downloads)
            model = transformers.AutoModelForCausalLM.from_pretrained(base, local_files_only=not downloads, **given)
        except (OSError, ValueError, ImportError, KeyError) as error:
            raise _not_loaded(base, error, downloads) from None
        if not is_placed:
            model = moved(model, device)
        if adapter is not None:
            model = _adapted(model, base, adapter)
    model.eval()
    facts = facts_of(Path(base if adapter is None else adapter).expanduser()) or {}
    if not to_train:
        _cool(model, facts.get("temperature"))
    loaded = language_model(model, tokenizer, base if adapter is None else f"{base} + {adapter}", base)
    numbers = bool((facts.get("recipe") or {}).get("number_names"))
    return replace(loaded, numbers_names=numbers, keep_from=float(facts.get("keep_from") or 0.0))


def language_model(model: Any, tokenizer: Any, name: str, base: str) -> LanguageModel:
    """The model. Raises BadInput if its replies have no end token."""
    end = end_of_turn(tokenizer)
    if end is None:
        raise BadInput(f"The tokenizer of {name} has no token that ends a text.", "Use another model.")
    return LanguageModel(model, tokenizer, name, end, base)


def prompt_ids(model: LanguageModel, prompt: str) -> list[int]:
    """The tokens of a prompt, which ends with a line break; in a chat model, as the user's turn."""
    if not model.chats:
        ids: list[int] = model.tokenizer(prompt.rstrip("\n") + "\n")["input_ids"]
        if ids and ids[-1] == model.end_token:  # some tokenizers end every text
            ids = ids[:-1]
        return ids
    turns = [{"role": "user", "content": prompt.rstrip("\n")}]
    text = model.tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    text = text if text.endswith("\n") else text + "\n"
    found: list[int] = model.tokenizer(text, add_special_tokens=False)["input_ids"]
    return found


def end_of_turn(tokenizer: Any) -> int | None:
    """The token with which a chat model ends its turn; else the tokenizer's end of a text."""
    if tokenizer.chat_template:
        turns = [{"role": "user", "content": "a"}, {"role": "assistant", "content": _SAID}]
        _, _, rest = tokenizer.apply_chat_template(turns, tokenize=False).partition(_SAID)
        special = {*tokenizer.all_special_ids, *tokenizer.added_tokens_decoder}
        for token in tokenizer(rest, add_special_tokens=False)["input_ids"]:
            if token in special:
                return int(token)
    return None if tokenizer.eos_token_id is None else int(tokenizer.eos_token_id)


def marks(model: Any) -> list[float]:
    """A few weights of the embeddings, which identify a model: adapters do not change them."""
    weights = model.get_input_embeddings().weight
    row = weights[weights.shape[0] // 2].detach().float().cpu()
    return [round(value, 5) for value in row[:_MARKS].tolist()]


def facts_of(folder: Path) -> dict[str, Any] | None:
    """The manifest of a trained model; None if there is none."""
    try:
        value = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None


def _parts(name: str, adapter: str | None) -> tuple[str, str | None]:
    """The base's name or folder, and the adapter's folder."""
    folder = Path(name).expanduser()
    if not folder.is_dir():
        if folder.is_absolute() or name.startswith((".", "~")):
            raise BadInput(f"There is no folder {name}.", "Give the folder of a model of transformers, or its name.")
        return name, adapter
    if (folder / "config.json").exists():
        return str(folder), adapter
    if adapter is None and (folder / "adapter_config.json").exists():
        named = _adapter_config(folder).get("base_model_name_or_path")
        if not named:
            raise BadInput(
                f"The adapter in {folder} does not say of which model it is.", "Give the model, and it as its adapter."
            )
        return str(named), str(folder)
    raise BadInput(f"{folder} holds no model: it has no config.json.", "Give the folder of a model of transformers.")


def _adapter_config(folder: Path) -> dict[str, Any]:
    try:
        value = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise BadInput(
            f"{folder} holds no adapter: it has no readable adapter_config.json.",
            "Give the folder that training with --lora wrote.",
        ) from None
    return value if isinstance(value, dict) else {}


def _not_loaded(base: str, error: Exception, downloads: bool) -> BadInput:
    reason = " ".join(str(error).split())[:300]
    if Path(base).is_dir():
        return BadInput(f"The model in {base} cannot be loaded: {reason}", "Is the folder complete?")
    remedy = "Check the name and the connection." if downloads else "Give its folder, or set CLEW_ALLOW_DOWNLOADS=true."
    return BadInput(f"There is no model {base} on this machine.", remedy)


def _adapted(model: Any, base: str, adapter: str) -> Any:
    """The model with an adapter; raises BadInput if the adapter is for another model."""
    folder = Path(adapter).expanduser()
    named = str(_adapter_config(folder).get("base_model_name_or_path") or "")
    if importlib.util.find_spec("peft") is None:
        raise BadInput("Adapters need the package peft.", "Install it: pip install 'clew[train]'")
    facts = facts_of(folder)
    if facts is not None and "marks" in facts:
        same = _close(facts["marks"], marks(model))
    else:
        same = not named or Path(named).name == Path(base).name
    if not same:
        raise _another(adapter, named, base)
    import peft

    try:
        return peft.PeftModel.from_pretrained(model, str(folder))
    except (ValueError, RuntimeError, OSError, KeyError) as error:
        if is_out_of_memory(error):
            raise
        raise _another(adapter, named, base) from None


def _cool(model: Any, temperature: object) -> None:
    """Divide the model's scores by a temperature from now on. What its output layer reads is divided, so that every way
    to the scores has it; where that layer is not linear (a bias, capped scores), this is near it, not quite it."""
    if not isinstance(temperature, int | float) or not temperature > 0 or temperature == 1:
        return

    def divided(module: Any, given: Any, output: Any) -> Any:
        output.last_hidden_state = output.last_hidden_state / temperature
        return output

    causal = model.get_base_model() if hasattr(model, "get_base_model") else model
    causal.base_model.register_forward_hook(divided)


def _close(a: Sequence[float], b: Sequence[float]) -> bool:
    return len(a) == len(b) and all(abs(x - y) <= 0.02 * max(abs(x), abs(y)) + 1e-3 for x, y in zip(a, b, strict=True))


def _another(adapter: str, named: str, base: str) -> BadInput:
    of = f" of {named}" if named else " of another model"
    return BadInput(f"The adapter {adapter} is{of} and does not fit {base}.", "Give the model that it was trained on.")
