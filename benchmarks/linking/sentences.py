"""Ordinary English sentences that name nothing: 1,000 of them, and which of them a graph's names are linked to."""

from __future__ import annotations

import random
import time
from typing import Any

from benchmarks.linking.timing import quantiles
from clew.tools.linking.index import EntityIndex
from clew.tools.linking.mentions import find_mentions
from clew.tools.linking.normalise import fold
from clew.tools.linking.ordinary import word_class
from clew.tools.linking.word_forms import singulars

_SLOTS = {
    "person": "my aunt;the plumber;our neighbour;a colleague;the bus driver;her landlord;the dentist;my grandmother;"
    "the new intern;a pedestrian;the caretaker;their accountant;the librarian;his cousin;the electrician;a toddler;"
    "the receptionist;my roommate;the gardener;an apprentice;the barber;the tenant;a lifeguard;the hairdresser",
    "thing": "umbrella;kettle;bicycle;ladder;wallet;scarf;teapot;cushion;bucket;screwdriver;backpack;candle;envelope;"
    "blanket;saucepan;lamp;zipper;suitcase;doorbell;napkin;calendar;notebook;toothbrush;pillow;jacket;spoon;carpet;"
    "thermometer;cardboard box;drawer;stapler;mattress;hammer;sponge;whistle;parcel;laptop;keyboard;printer;charger",
    "place": "kitchen;garage;cellar;attic;backyard;corridor;pharmacy;bakery;laundry room;car park;supermarket;"
    "waiting room;hallway;balcony;bus stop;playground;basement;post office;canteen;greenhouse;driveway;shed",
    "adjective": "muddy;wobbly;rusty;spotless;clumsy;grumpy;cosy;sticky;fluffy;noisy;slippery;tidy;crooked;stale;"
    "sleepy;cheerful;dusty;fragile;handy;humid;lukewarm;messy;narrow;plain;shallow;stubborn;tasty;thirsty;untidy",
    "verb": "repaired;borrowed;dropped;cleaned;polished;misplaced;wrapped;folded;unpacked;scratched;washed;swapped;"
    "rinsed;painted;lifted;dragged;emptied;stacked;squeezed;tightened;assembled;sharpened;knitted;stitched;glued",
    "doing": "cooking dinner;waiting for the bus;mowing the lawn;peeling potatoes;doing the laundry;jogging;"
    "baking bread;filling in forms;watering the plants;tying shoelaces;feeding the ducks;ironing shirts;whistling;"
    "sweeping the floor;brushing teeth;boiling eggs;parking the car;arguing about money;sneezing;typing letters",
    "time": "yesterday;this morning;last night;before breakfast;on Monday;after lunch;in the afternoon;twice a week;"
    "last weekend;a fortnight ago;all evening;on Thursday;early today;around noon;until midnight;in February",
    "food": "soup;porridge;sandwiches;pancakes;cucumber salad;onions;cheese;noodles;pickles;lentils;oatmeal;muffins;"
    "roast potatoes;cabbage;yoghurt;biscuits;scrambled eggs;mushrooms;gravy;jam;pumpkin pie;carrots;cereal;broth",
    "feeling": "tired;hungry;nervous;relieved;annoyed;delighted;puzzled;bored;embarrassed;grateful;dizzy;anxious;"
    "confident;disappointed;jealous;lonely;proud;restless;worried;exhausted;curious;calm;furious;amused",
    "topic": "inflation;gravity;photosynthesis;taxes;knitting;mortgages;electricity;gardening;punctuation;earthquakes;"
    "insulation;vaccination;fractions;recycling;grammar;nutrition;probability;plumbing;weather forecasts;traffic",
    "number": "two;three;four;five;seven;a dozen;several;twenty;a few;thirty;nine;hundreds of",
}  # fmt: skip
_TEMPLATES = (
    "{Person} {verb} the {thing} {time}.", "The {thing} in the {place} is {adjective}.",
    "how do I clean a {adjective} {thing}", "Why was {person} so {feeling} {time}?",
    "what is the best way to explain {topic} to a child", "I left my {thing} in the {place} {time}.",
    "Can you tell me how {topic} works?", "We had {food} and {food} {time}.", "is it safe to eat {food} {time}",
    "{Person} was {doing} when the phone rang.", "How many minutes does it take to cook {food}?",
    "who {verb} the {thing} in the {place}", "Which {thing} should I buy for the {place}?",
    "There were {number} {adjective} cups beside the {thing}.", "what should I do with a {adjective} {thing}",
    "Please put the {thing} back where {person} found it.", "Do you enjoy {doing}?",
    "I think {person} is {feeling} because of the {food}.", "when did {person} start {doing}",
    "Could somebody bring {number} plates to the {place}?", "My {thing} makes a {adjective} noise when it is cold.",
    "how much {food} do I need for {number} guests", "Nobody in the {place} understands {topic}.",
    "Is there a {adjective} {thing} anywhere in the {place}?", "{Person} always feels {feeling} after {doing}.",
    "what happens to {food} if you forget it in the {place}", "Let me know whether {person} has {verb} the {thing}.",
    "Where can I learn about {topic} without paying {number} dollars?",
    "the {thing} costs {number} dollars more than {time}",
    "Who was {doing} in the {place} {time}?", "Are you {feeling} or just {feeling}?",
    "give me {number} good reasons for {doing}", "She asked {person} about {topic}, but he only talked about {food}.",
)  # fmt: skip
_WRITTEN = """
What time is it? | how are you doing today | It is raining cats and dogs again. | who walked on the moon
How many Oscars did they win? | I would like a cup of tea, please. | what does this button do
Could you repeat that more slowly? | Where did I put my glasses? | the cat sat on the mat
Why is the sky blue? | how do I reset my password | She sells sea shells by the sea shore.
Better late than never. | what is the meaning of all this | A stitch in time saves nine.
Don't count your chickens before they hatch. | who let the dogs out | My printer is out of ink.
When will the meeting be over? | is there anything else I should know | Thanks a lot for your quick reply!
which of these is cheaper | Nothing is certain but death and taxes. | Can I pay by card?
the quick brown fox jumps over the lazy dog | Let's talk about something else. | what would you recommend
He overslept and missed the train. | how far away is the nearest planet | Did you hear that strange noise?
I can't open the attachment. | who is in charge here | Whose turn is it to do the dishes?
They moved into a bigger flat last spring. | how long should I boil an egg | Do penguins have knees?
Who invented the wheel? | The soup needs more salt. | what's the difference between weather and climate
Please turn off the lights when you leave. | Every cloud has a silver lining. | which foods contain iron
Our flight was delayed by three hours. | where do babies come from | Is this seat taken?
I have never seen so many mosquitoes. | how do magnets work | What a lovely garden you have!
You should see a doctor about that cough. | why do onions make us cry | Who ate all the biscuits?
The batteries are flat. | Does the shop close at six? | what can I cook with leftover rice
Which is heavier, a pound of feathers or a pound of lead? | how is glass made | It doesn't matter anymore.
A bird in the hand is worth two in the bush. | what number comes after eleven | Mind your own business.
I am looking for something warm to wear. | who pays for the damage | The dog barks at every cyclist.
how many legs does a spider have | Are these earrings yours? | The tap in the bathroom is dripping.
My knee hurts when I climb stairs. | what causes hiccups | Practice makes perfect.
The children built a snowman. | can you keep a secret | Which socks go with this shirt?
how do you spell rhythm | All that glitters is not gold. | They were shivering with cold.
What is the plural of mouse? | who is knocking at the door | Have you ever ridden a camel?
Her handwriting is hard to read. | why is the screen flickering | The suspect escaped through a window.
what did the customs officer ask you | Which way is north? | He apologised for the misunderstanding.
how can I stop my shoes from squeaking | I owe you an apology. | Who forgot to lock the gate?
There is a spelling mistake in the second paragraph. | what makes popcorn pop | Do you need a hand with that?
"""
COUNT = 1_000


def sentences(seed: int = 0) -> list[str]:
    """The sentences: those written by hand, and others made from templates."""
    source = random.Random(seed)
    found = dict.fromkeys(part.strip() for line in _WRITTEN.strip().splitlines() for part in line.split(" | "))
    slots = {name: words.split(";") for name, words in _SLOTS.items()}
    while len(found) < COUNT:
        chosen = {name: source.choice(words) for name, words in slots.items()}
        text = source.choice(_TEMPLATES)
        for name in slots:
            while "{" + name + "}" in text:
                text = text.replace("{" + name + "}", source.choice(slots[name]), 1)
        person = chosen["person"]
        found[text.replace("{Person}", person[0].upper() + person[1:])] = None
    return list(found)


def linked(index: EntityIndex, seed: int = 0) -> dict[str, Any]:
    """The share of sentences with a link. `false_links` is of those in which no content word or run of words is
    spelled like a name of the graph or its plural; `with_names` is of the others, which contain a name by chance."""
    named, false, times, examples = [0, 0], [0, 0], [], []
    for sentence in sentences(seed):
        has_name = int(_spells_a_name(sentence, index))
        started = time.process_time()
        mentions = find_mentions(sentence, index).mentions
        times.append(time.process_time() - started)
        named[has_name] += 1
        false[has_name] += bool(mentions)
        if mentions and not has_name:
            examples += [f"{mentions[0].text} → {mentions[0].candidates[0].entity.name}"]
    return {
        "sentences": named[0],
        "false_links": round(false[0] / max(1, named[0]), 4),
        "with_names": named[1],
        "linked_with_names": round(false[1] / max(1, named[1]), 4),
        "examples": examples[:12],
    } | quantiles(times)


def _spells_a_name(sentence: str, index: EntityIndex) -> bool:
    words = fold(sentence).split()
    runs = [
        "".join(words[first : last - 1]) + end
        for first in range(len(words))
        for last in range(first + 1, len(words) + 1)
        for end in (words[last - 1], *singulars(words[last - 1]))
        if any(word_class(word) != "function" for word in words[first:last])
    ]
    return any(index.keys_spelled(runs))
